import { describe, expect, it } from '@jest/globals';
import { previewAssurance } from '../../../src/authenticators/count-authenticators.ts';
import { ASSURED_TOTP, assuredOf } from '../../../src/authenticators/register/require-assured.ts';
import { type Assurance, DEFAULT_POLICY } from '../../../src/contract/policy.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, FakeMembers, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 1, login: 'octocat' };
const key = { type: 'security-key' as const, aaguid: '', backupEligible: false, modelVerified: false };
const heldBy = (login: string, ...held: object[]) => held.map((one) => ({ login, ...one }) as never);

async function preview(change: Partial<Assurance>, before: Partial<Assurance> = {}) {
  const stores = fakeStores();
  const members = new FakeMembers(stores.stage);
  await stores.organizations.save(anInstallation());
  members.set(9, octocat.githubId, 'admin');
  const { assurance } = DEFAULT_POLICY;
  stores.policies.policy = { ...DEFAULT_POLICY, assurance: { ...assurance, ...before } };
  const held = [
    ...heldBy('mona', ASSURED_TOTP),
    ...heldBy('hubot', assuredOf({ ...key, type: 'passkey', backupEligible: true }), ASSURED_TOTP),
    ...heldBy('octocat', assuredOf(key), ASSURED_TOTP),
  ];
  const deps = { ...stores, members, heldAuthenticators: { ofMembers: async () => held } };
  const relyingParty = { hasAttestationRoots: false };
  return (session = octocat) =>
    previewAssurance(
      { ...deps, relyingParty },
      { session, orgID: 9, assurance: { ...assurance, ...change } },
    );
}

describe('a preview', () => {
  it.each<[string, Partial<Assurance>, Partial<Assurance>, string[]]>([
    ['nobody, if nothing changes', {}, {}, []],
    ['those with one-time codes only', { methods: ['passkey', 'security-key'] }, {}, ['mona']],
    ['those whose keys can leave', { deviceBound: true }, {}, ['hubot', 'mona']],
    [
      'nobody who could not approve before',
      { deviceBound: true },
      { methods: ['passkey', 'security-key'] },
      ['hubot'],
    ],
  ])('names %s', async (_what, change, before, logins) => {
    expect(await (await preview(change, before))()).toMatchObject({ without: logins.length, logins });
  });

  it('is for owners', async () => {
    expect(await codeOf((await preview({}))({ userId: 'mona', githubId: 2, login: 'mona' }))).toBe(
      'notOwner',
    );
  });
});
