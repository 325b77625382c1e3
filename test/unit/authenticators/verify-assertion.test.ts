import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Challenge, Credential } from '../../../src/authenticators/ports.ts';
import { userHandle } from '../../../src/authenticators/step-up/challenges.ts';
import { assertionFlags, verifyAssertion } from '../../../src/authenticators/step-up/verify-assertion.ts';
import { SoftwareAuthenticator, type Twist, UP, UV } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, FakeCredentials, RELYING_PARTY, Stage } from '../../support/fakes.ts';
import { ODD_KEYS } from '../../support/odd-keys.ts';

const ORIGIN = 'https://guard.example.org';
const CHALLENGE: Challenge = {
  challenge: Buffer.alloc(32, 7).toString('base64url'),
  purpose: 'approve',
  userId: 'mona',
  orgId: 9,
  subject: null,
  expires: new Date(),
};

function world(change: Partial<Credential> = {}, key = new SoftwareAuthenticator(ORIGIN)) {
  const credentials = new FakeCredentials(new Stage());
  credentials.stored.push(aCredential(key, change));
  const verify = (response: unknown) =>
    verifyAssertion(
      { credentials, relyingParty: RELYING_PARTY },
      { response: response as AuthenticationResponseJSON, challenge: CHALLENGE, orgRecordId: 'org' },
    );
  return { credentials, key, verify, answer: (twist: Twist = {}) => verify(key.get(CHALLENGE, twist)) };
}

const handle = (userId: string, orgId: number) =>
  Buffer.from(userHandle(userId, orgId)).toString('base64url');

describe('an assertion', () => {
  it('by the person’s own key is accepted, with whether the person was verified', async () => {
    expect(await world().answer()).toMatchObject({ credential: { id: 'credential' }, userVerified: true });
    expect(await world().answer({ flags: UP })).toMatchObject({ userVerified: false });
  });

  it.each<[string, Twist, string]>([
    ['of another origin', { origin: 'https://evil.example' }, 'assertionFailed'],
    ['of a page below our host', { origin: 'https://a.guard.example.org' }, 'assertionFailed'],
    ['of our host without TLS', { origin: 'http://guard.example.org' }, 'assertionFailed'],
    ['of our host on another port', { origin: 'https://guard.example.org:8443' }, 'assertionFailed'],
    ['for another relying party', { rpId: 'example.org' }, 'assertionFailed'],
    ['over another challenge', { challenge: 'AAAA' }, 'assertionFailed'],
    ['of another ceremony', { type: 'webauthn.create' }, 'assertionFailed'],
    ['from a frame', { crossOrigin: true }, 'assertionFailed'],
    ['without a person present', { flags: UV }, 'assertionFailed'],
    ['without any flag', { flags: 0 }, 'assertionFailed'],
    ['with a broken signature', { breakSignature: true }, 'assertionFailed'],
    ['with the user handle of another person', { userHandle: handle('octocat', 9) }, 'notYourAuthenticator'],
    ['with another organization’s user handle', { userHandle: handle('mona', 10) }, 'notYourAuthenticator'],
    ['with its own user handle', { userHandle: handle('mona', 9) }, 'passes'],
    ['without a user handle', {}, 'passes'],
    ['with an empty user handle', { userHandle: '' }, 'passes'],
    ['with null as its user handle', { userHandle: null }, 'passes'],
  ])('%s', async (_what, twist, outcome) => {
    const w = world();
    expect(await codeOf(w.answer(twist))).toBe(outcome);
  });

  it.each<[string, Partial<Credential>]>([
    ['of another person', { userId: 'octocat' }],
    ['of the person in another organization', { orgRecordId: 'other' }],
    ['of another id', { keyId: 'AAAA' }],
  ])('by a key %s is refused', async (_what, change) => {
    expect(await codeOf(world(change).answer())).toBe('notYourAuthenticator');
  });

  it.each(Object.entries(ODD_KEYS))(
    'by %s, registered before we refused it, is refused',
    async (_what, kind) => {
      const w = world({}, new SoftwareAuthenticator(ORIGIN, undefined, kind));
      expect(await codeOf(w.answer())).toBe('unknownKey');
      expect(w.credentials.stored[0]?.counter).toBe(0);
    },
  );

  it('by another key that says it is the person’s is refused', async () => {
    const w = world();
    const copy = new SoftwareAuthenticator(ORIGIN, w.key.credentialId);
    expect(await codeOf(w.verify(copy.get(CHALLENGE)))).toBe('assertionFailed');
  });

  it.each<[stored: number, answered: number, outcome: string]>([
    [0, 0, 'passes'],
    [0, 1, 'passes'],
    [5, 6, 'passes'],
    [5, 4_294_967_295, 'passes'],
    [5, 5, 'clonedAuthenticator'],
    [5, 4, 'clonedAuthenticator'],
    [5, 0, 'clonedAuthenticator'],
  ])('with the counter %d stored and %d in the answer ends with: %s', async (stored, counter, outcome) => {
    const w = world({ counter: stored });
    expect(await codeOf(w.answer({ counter }))).toBe(outcome);
    const kept = outcome === 'passes' ? counter : stored;
    expect(w.credentials.stored[0]?.counter).toBe(kept);
  });

  it('is refused if another one with the same counter comes simultaneously', async () => {
    const w = world();
    const outcomes = await Promise.all([codeOf(w.answer({ counter: 3 })), codeOf(w.answer({ counter: 3 }))]);
    expect(outcomes.sort()).toEqual(['clonedAuthenticator', 'passes']);
  });

  it.each(['credentials.list', 'credentials.recordUse'])('is refused if %s fails', async (call) => {
    const w = world();
    w.credentials.stage.fail(call, 'storeUnavailable', { when: 'after' });
    expect(await codeOf(w.answer())).toBe('storeUnavailable');
  });
});

describe('the user handle', () => {
  it('has 32 bytes that reveal neither person nor organization, and differs for each', () => {
    const handles = [handle('mona', 9), handle('mona', 10), handle('octocat', 9), handle('mona:9', 9)];
    expect(new Set(handles).size).toBe(4);
    expect(handles[0]).toBe(handle('mona', 9));
    expect(userHandle('mona', 9)).toHaveLength(32);
    expect(Buffer.from(userHandle('mona', 9)).toString('latin1')).not.toContain('mona');
  });
});

it.each([
  { says: 'no flags', bytes: 32, flags: 0, userVerified: false, backupEligible: true },
  { says: 'neither', bytes: 37, flags: 0, userVerified: false, backupEligible: false },
  { says: 'a verified user', bytes: 37, flags: 4, userVerified: true, backupEligible: false },
  { says: 'a key that can leave the device', bytes: 37, flags: 8, userVerified: false, backupEligible: true },
])('reads $says', ({ bytes, flags, says: _says, ...expected }) => {
  const data = Buffer.alloc(bytes);
  if (bytes > 32) data[32] = flags;
  expect(assertionFlags(data.toString('base64url'))).toEqual(expected);
});
