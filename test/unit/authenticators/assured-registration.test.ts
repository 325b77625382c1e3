import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { trustAttestationRoots } from '../../../src/authenticators/register/attestation.ts';
import { registerTotp } from '../../../src/authenticators/register/register-totp.ts';
import {
  registerWebauthn,
  registrationOptions,
} from '../../../src/authenticators/register/register-webauthn.ts';
import { type Assurance, DEFAULT_POLICY } from '../../../src/contract/policy.ts';
import { createManufacturer } from '../../support/attestation.ts';
import { SoftwareAuthenticator, type Twist, UP } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { world as emptyWorld, mona, ORIGIN } from './world.ts';

const MODEL = 'ee882879-721c-4913-9775-3dfcce97072a';
const OTHER_MODEL = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const [AT, BE] = [64, 8];

const trusted = await createManufacturer();
const unknown = await createManufacturer();

/** A registration in an organization with this assurance. */
async function world(assurance: Partial<Assurance>) {
  const deps = await emptyWorld();
  deps.relyingParty.hasAttestationRoots = true;
  deps.policies.policy = { ...DEFAULT_POLICY, assurance: { ...DEFAULT_POLICY.assurance, ...assurance } };
  const wish = { person: mona, label: 'Key', type: 'security-key' as const, orgID: 9 };
  const options = async () => (await registrationOptions(deps, wish)).options;
  return {
    ...deps,
    options,
    async register(twist: Twist = {}, attest = async (made: RegistrationResponseJSON) => made) {
      const made = new SoftwareAuthenticator(ORIGIN).create(await options(), twist);
      const response = await attest(made as unknown as RegistrationResponseJSON);
      return codeOf(registerWebauthn(deps, { ...wish, response }));
    },
  };
}

beforeAll(() => trustAttestationRoots([trusted.root]));

describe('a registration in an organization that accepts', () => {
  it.each<[string, (made: RegistrationResponseJSON) => Promise<RegistrationResponseJSON>, boolean]>([
    ['by a root that the operator trusts', (made) => trusted.attest(made, MODEL), true],
    ['by another root', (made) => unknown.attest(made, MODEL), false],
    ['by a certificate for another model', (made) => trusted.attest(made, OTHER_MODEL), false],
    ['by a certificate for no model', (made) => trusted.attest(made, null), false],
    ['by nobody', async (made) => made, false],
  ])('one model takes it attested %s: %#', async (_what, attest, isAccepted) => {
    const w = await world({ models: [MODEL] });
    expect(await w.register({ aaguid: MODEL }, attest)).toBe(isAccepted ? 'passes' : 'notAccepted');
    expect(w.credentials.stored.map(({ modelVerified }) => modelVerified)).toEqual(isAccepted ? [true] : []);
  });

  it('one model takes its word, and stores it as unverified, while the operator trusts no root', async () => {
    const w = await world({ models: [MODEL] });
    w.relyingParty.hasAttestationRoots = false;
    const attest = (made: RegistrationResponseJSON) => trusted.attest(made, MODEL);
    expect(await w.register({ aaguid: MODEL }, attest)).toBe('passes');
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
    const w = await world(assurance);
    expect([await w.register(twist), w.credentials.stored.length]).toEqual([
      outcome,
      outcome === 'passes' ? 1 : 0,
    ]);
  });

  it('no security keys says so before the ceremony', async () => {
    const w = await world({ methods: ['passkey'] });
    await expect(w.options()).rejects.toThrow("octo-org doesn't accept security keys. Register a passkey.");
  });

  it('no one-time codes refuses an app', async () => {
    const w = await world({ methods: ['passkey'] });
    const input = { person: mona, orgID: 9, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEH', totpValue: '123456' };
    expect(await codeOf(registerTotp(w, input))).toBe('notAccepted');
  });

  it('verified people only has the browser verify them', async () => {
    const w = await world({ userVerification: 'required' });
    expect((await w.options()).authenticatorSelection?.userVerification).toBe('required');
  });
});
