import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { trustAttestationRoots } from '../../../src/authenticators/register/attestation.ts';
import { registerTotp } from '../../../src/authenticators/register/register-totp.ts';
import {
  registerWebauthn,
  registrationOptions,
} from '../../../src/authenticators/register/register-webauthn.ts';
import { requireRegistrant } from '../../../src/authenticators/require-registrant.ts';
import { issueForKeys } from '../../../src/authenticators/step-up/challenges.ts';
import type { WebauthnType } from '../../../src/contract/authenticators.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import type { Assurance } from '../../../src/contract/policy.ts';
import type { StepUp } from '../../../src/contract/step-up.ts';
import { createManufacturer } from '../../support/attestation.ts';
import { SoftwareAuthenticator, type Twist, UP } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, anInstallation } from '../../support/fakes.ts';
import { ODD_KEYS } from '../../support/odd-keys.ts';
import { world as emptyWorld, mona, ORIGIN } from './world.ts';

const wish = { label: 'My passkey', type: 'passkey' as WebauthnType, orgID: 9 };

async function world() {
  const deps = await emptyWorld();
  const key = new SoftwareAuthenticator(ORIGIN);
  const options = async (change: Partial<typeof wish> = {}) =>
    (await registrationOptions(deps, { person: mona, ...wish, ...change })).options;
  const register = (response: unknown, change: object = {}) =>
    registerWebauthn(deps, { person: mona, ...wish, ...change, response: response as never });
  return {
    ...deps,
    key,
    options,
    register,
    /** A whole ceremony; `change` may spoil what the authenticator made. */
    async ceremony(
      twist: Twist = {},
      change: (response: RegistrationResponseJSON) => unknown = (made) => made,
    ) {
      const made = key.create(await options(), twist) as unknown as RegistrationResponseJSON;
      return register(await change(made));
    },
  };
}

type Attestation = Map<string, unknown>;

/** The ceremony’s answer with another attestation object. */
function attested(response: RegistrationResponseJSON, change: (attestation: Attestation) => void): unknown {
  const attestation = decodeAttestationObject(
    isoBase64URL.toBuffer(response.response.attestationObject),
  ) as unknown as Attestation;
  change(attestation);
  const encoded = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]);
  return {
    ...response,
    response: { ...response.response, attestationObject: isoBase64URL.fromBuffer(encoded) },
  };
}

describe('a registration', () => {
  it('notifies the holder, and once each owner of a first authenticator', async () => {
    const w = await world();
    w.memberships.notified = ['octocat', 'mona'];
    await w.ceremony();
    const { activity, notices } = w.credentials.added[0] ?? {};
    const data = { type: 'passkey', label: 'My passkey', login: 'mona', org: 'octo-org' };
    expect(activity?.data).toEqual({ ...data, user: 'mona', enrolled: 'open' });
    expect(notices).toEqual([
      { kind: 'authenticatorAdded', userId: 'mona', data: { ...data, by: 'mona', isOnly: true } },
      { kind: 'firstAuthenticator', userId: 'octocat', data: { ...data, by: 'mona' } },
    ]);
  });

  it('stores the key that the ceremony made, with its counter: a copy made before the first use is noticed', async () => {
    const w = await world();
    expect(await w.ceremony({ counter: 7 })).toEqual({
      id: expect.any(String),
      type: 'passkey',
      label: 'My passkey',
      created: expect.any(String),
      key_id: w.key.id,
    });
    const { orgRecordId, label, enrolled } = {
      orgRecordId: w.org.id,
      label: 'My passkey',
      enrolled: 'open',
    } as const;
    expect(w.credentials.stored).toMatchObject([
      {
        ...aCredential(w.key, { orgRecordId, label, transports: ['internal'], enrolled, counter: 7 }),
        id: expect.any(String),
        aaguid: '00000000-0000-0000-0000-000000000000',
        attested: false,
        backupEligible: false,
        backedUp: false,
      },
    ]);
  });

  it('stores the credential id of the authenticator’s data, not of the browser’s field', async () => {
    const w = await world();
    const create = w.key.create.bind(w.key);
    w.key.create = (...given) => ({ ...create(...given), id: 'AAAA', rawId: 'AAAA' });
    expect(await w.ceremony()).toMatchObject({ key_id: w.key.id });
  });

  it.each<[string, Twist]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['from a frame', { crossOrigin: true }],
    ['of another ceremony', { type: 'webauthn.get' }],
    ['without a person present', { flags: 4 | 64 }],
    ['without a key', { flags: 1 }],
  ])('%s is refused, and its challenge is used up', async (_what, twist) => {
    const w = await world();
    expect([await codeOf(w.ceremony(twist)), w.credentials.stored]).toEqual(['attestationFailed', []]);
    expect(w.challenges.consumed.size).toBe(1);
  });

  it.each(Object.entries(ODD_KEYS))('of %s is refused', async (_what, kind) => {
    const w = await world();
    const odd = new SoftwareAuthenticator(ORIGIN, undefined, kind);
    const outcome = w.register(odd.create(await w.options()));
    expect([await codeOf(outcome), w.credentials.stored]).toEqual(['unknownKey', []]);
  });

  it.each([1023, 1024, 4000])(
    'with a credential id of %d bytes is refused if it is too long',
    async (length) => {
      const w = await world();
      const long = new SoftwareAuthenticator(ORIGIN, Buffer.alloc(length, 7));
      const outcome = length < 1024 ? 'passes' : 'attestationFailed';
      expect(await codeOf(w.register(long.create(await w.options())))).toBe(outcome);
    },
  );

  it.each<[string, (attestation: Attestation) => void]>([
    [
      'an attestation that does not verify',
      (attestation) => {
        attestation.set('fmt', 'packed');
        attestation.set('attStmt', new Map(Object.entries({ alg: -7, sig: new Uint8Array(70) })));
      },
    ],
    ['an attestation of no known kind', (attestation) => void attestation.set('fmt', 'from-the-future')],
  ])('with %s is stored as not attested', async (_what, change) => {
    const w = await world();
    expect(await codeOf(w.ceremony({}, (made) => attested(made, change)))).toBe('passes');
    expect(w.credentials.stored.map((one) => one.attested)).toEqual([false]);
  });

  it('of a credential that a person already has is refused', async () => {
    const w = await world();
    w.credentials.stored.push(aCredential(w.key, { userId: 'octocat', orgRecordId: 'elsewhere' }));
    expect(await codeOf(w.ceremony())).toBe('alreadyRegistered');
  });

  it('of a second authenticator requires a step-up, before the challenge is used up', async () => {
    const w = await world();
    w.credentials.stored.push(aCredential(new SoftwareAuthenticator(ORIGIN), { orgRecordId: w.org.id }));
    expect([await codeOf(w.ceremony()), w.challenges.consumed.size]).toEqual(['stepUpRequired', 0]);
  });

  it('is refused as a first one if another one was registered in between', async () => {
    const w = await world();
    const response = w.key.create(await w.options());
    w.stage.gate = async (call) => {
      if (call === 'challenges.consume')
        w.credentials.stored.push(aCredential(new SoftwareAuthenticator(ORIGIN), { orgRecordId: w.org.id }));
    };
    expect([await codeOf(w.register(response)), w.credentials.stored.length]).toEqual(['stepUpRequired', 1]);
  });

  it.each<[string, object]>([
    ['another label', { label: 'Another' }],
    ['another type', { type: 'security-key' }],
  ])('with %s than was requested is refused', async (_what, change) => {
    const w = await world();
    expect(await codeOf(w.register(w.key.create(await w.options()), change))).toBe('challengeUnknown');
    expect(w.credentials.stored).toEqual([]);
  });

  it('that takes too long is refused', async () => {
    const w = await world();
    const response = w.key.create(await w.options());
    w.clock.pass(66_000);
    expect(await codeOf(w.register(response))).toBe('challengeExpired');
  });

  it.each<[string, Twist, string]>([
    ['is refused with a bogus proof, so that a stolen session adds none', {}, 'challengeUnknown'],
    ['is verified before its proof is used up', { origin: 'https://evil.example' }, 'attestationFailed'],
  ])('of a second authenticator %s', async (_what, twist, code) => {
    const w = await world();
    w.credentials.stored.push(aCredential(new SoftwareAuthenticator(ORIGIN), { orgRecordId: w.org.id }));
    const webauthn = w.key.get({ challenge: 'AAAA' });
    const stepUp = { type: 'register-authenticator', webauthn } as unknown as StepUp;
    expect(await codeOf(w.register(w.key.create(await w.options(), twist), { stepUp }))).toBe(code);
    expect(w.credentials.stored).toHaveLength(1);
  });
});

describe('the right to register', () => {
  it.each<[string, (w: Awaited<ReturnType<typeof world>>) => unknown, string]>([
    ['is refused to a stranger', (w) => w.members.roles.clear(), 'notMember'],
    [
      'is refused in an outage',
      (w) => w.stage.fail('members.role', 'githubUnavailable'),
      'githubUnavailable',
    ],
  ])('%s', async (_what, change, code) => {
    const asked = await world();
    await change(asked);
    expect([await codeOf(asked.options()), asked.challenges.stored]).toEqual([code, []]);

    const sent = await world();
    const response = sent.key.create(await sent.options());
    await change(sent);
    expect([await codeOf(sent.register(response)), sent.credentials.stored]).toEqual([code, []]);
  });
});

describe('the options of a registration', () => {
  it('exclude the person’s own registered keys, so that none is made twice', async () => {
    const w = await world();
    const others = { userId: 'octocat', orgRecordId: w.org.id };
    w.credentials.stored.push(
      aCredential(w.key, { orgRecordId: w.org.id }),
      aCredential(new SoftwareAuthenticator(ORIGIN), others),
    );
    expect((await w.options()).excludeCredentials?.map(({ id }) => id)).toEqual([w.key.id]);
  });

  it('name of a key that was stored with unknown transports only transports that browsers know', async () => {
    const w = await world();
    const transports = ['', 'usb', 'warp'];
    w.credentials.stored.push(aCredential(w.key, { orgRecordId: w.org.id, transports }));
    expect((await w.options()).excludeCredentials).toMatchObject([{ id: w.key.id, transports: ['usb'] }]);
    const challenge = await issueForKeys(w, { person: mona, org: w.org, purpose: 'approve', statement: {} });
    expect(challenge.options.allowCredentials).toMatchObject([{ id: w.key.id, transports: ['usb'] }]);
  });

  it.each([
    [{ type: 'passkey' }, 'platform', 'preferred', 'client-device'],
    [{ type: 'passkey', device: 'phone' }, 'cross-platform', 'preferred', 'hybrid'],
    [{ type: 'security-key' }, 'cross-platform', 'discouraged', 'security-key'],
  ] as const)('of a %j ask for %s, a discoverable credential is %s, and hint at %s', async (...row) => {
    const [wish, authenticatorAttachment, residentKey, hint] = row;
    const { authenticatorSelection, hints } = await (await world()).options(wish);
    expect(authenticatorSelection).toMatchObject({ authenticatorAttachment, residentKey });
    expect(hints).toEqual([hint]);
  });
});

/** The outcome for a person who isn't a member, and how often the rules were asked about them. */
async function askOutsider({ suspended = false, removed = false, welcome = true }) {
  const w = await emptyWorld();
  w.members.roles.clear();
  await w.organizations.save(anInstallation({ suspended }));
  if (removed) await w.organizations.removed(w.org.installationId);
  let asked = 0;
  const isWelcomeFromOutside = async () => {
    asked += 1;
    return welcome;
  };
  const outcome = requireRegistrant({ ...w, isWelcomeFromOutside }, mona, w.org.orgId);
  return { code: await codeOf(outcome), asked };
}

it('registration lets in an outside collaborator whose approvals a rule takes, and nobody else', async () => {
  expect(await askOutsider({})).toEqual({ code: 'passes', asked: 1 });
  expect(await askOutsider({ welcome: false })).toEqual({ code: 'notMember', asked: 1 });
});

it('registration asks about no outsider while the installation is suspended or removed', async () => {
  expect(await askOutsider({ suspended: true })).toEqual({ code: 'installationSuspended', asked: 0 });
  expect(await askOutsider({ removed: true })).toEqual({ code: 'installationNotFound', asked: 0 });
});

const MODEL = 'ee882879-721c-4913-9775-3dfcce97072a';
const OTHER_MODEL = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const [AT, BE] = [64, 8];

const trusted = await createManufacturer();
const unknown = await createManufacturer();

/** The world of an organization with this assurance, whose server trusts a root. */
async function assuredWorld(assurance: Partial<Assurance>) {
  const w = await world();
  w.relyingParty.hasAttestationRoots = true;
  w.policies.policy = { ...DEFAULT_POLICY, assurance: { ...DEFAULT_POLICY.assurance, ...assurance } };
  return w;
}

describe('a registration in an organization that accepts', () => {
  beforeAll(() => trustAttestationRoots([trusted.root]));

  it.each<[string, (made: RegistrationResponseJSON) => unknown, boolean]>([
    ['by a root that the operator trusts', (made) => trusted.attest(made, MODEL), true],
    ['by another root', (made) => unknown.attest(made, MODEL), false],
    ['by a certificate for another model', (made) => trusted.attest(made, OTHER_MODEL), false],
    ['by a certificate for no model', (made) => trusted.attest(made, null), false],
    ['by nobody', (made) => made, false],
  ])('one model takes it attested %s: %#', async (_what, attest, isAccepted) => {
    const w = await assuredWorld({ models: [MODEL] });
    expect(await codeOf(w.ceremony({ aaguid: MODEL }, attest))).toBe(isAccepted ? 'passes' : 'notAccepted');
    expect(w.credentials.stored.map(({ modelVerified }) => modelVerified)).toEqual(isAccepted ? [true] : []);
  });

  it('one model takes its word, and stores it as unverified, while the operator trusts no root', async () => {
    const w = await assuredWorld({ models: [MODEL] });
    w.relyingParty.hasAttestationRoots = false;
    const attest = (made: RegistrationResponseJSON) => trusted.attest(made, MODEL);
    expect(await codeOf(w.ceremony({ aaguid: MODEL }, attest))).toBe('passes');
    expect(w.credentials.stored).toMatchObject([{ attested: true, modelVerified: false }]);
  });

  it.each<[string, Partial<Assurance>, Twist, string]>([
    [
      'keys that stay on the device, of one that does not',
      { deviceBound: true },
      { flags: UP | AT | BE },
      'notAccepted',
    ],
    ['keys that stay on the device, of one that does', { deviceBound: true }, { flags: UP | AT }, 'passes'],
    [
      'verified people, of one who was not',
      { userVerification: 'required' },
      { flags: UP | AT },
      'notAccepted',
    ],
    ['verified people, of one who was', { userVerification: 'required' }, {}, 'passes'],
  ])('%s: %#', async (_what, assurance, twist, outcome) => {
    const w = await assuredWorld(assurance);
    expect([await codeOf(w.ceremony(twist)), w.credentials.stored.length]).toEqual([
      outcome,
      outcome === 'passes' ? 1 : 0,
    ]);
  });

  it('no security keys says so before the ceremony', async () => {
    const w = await assuredWorld({ methods: ['passkey'] });
    await expect(w.options({ type: 'security-key' })).rejects.toThrow(
      "octo-org doesn't accept security keys. Register a passkey.",
    );
  });

  it('no one-time codes refuses an app', async () => {
    const w = await assuredWorld({ methods: ['passkey'] });
    const input = { person: mona, orgID: 9, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEH', totpValue: '123456' };
    expect(await codeOf(registerTotp(w, input))).toBe('notAccepted');
  });

  it('verified people only has the browser verify them', async () => {
    const w = await assuredWorld({ userVerification: 'required' });
    expect((await w.options()).authenticatorSelection?.userVerification).toBe('required');
  });
});
