import { expect, test } from '@jest/globals';
import { type WizardState, wizardState } from '../../../web/src/features/registration/wizard.ts';

const nothing = { totp: false, webauthn: [] };
const code = { totp: true, webauthn: [] };
const key = { totp: false, webauthn: [{ id: 'credential' }] };
const both = { totp: true, webauthn: [{ id: 'credential' }] };
const facts = { own: nothing, required: false, proved: false, preferCode: false };

test.each<[string, Partial<Parameters<typeof wizardState>[0]>, WizardState]>([
  ['while the authenticators are not known', { own: null }, 'unknown'],
  ['with the first authenticator', { own: nothing }, 'registering'],
  ['when the server wants a step-up and there is no authenticator', { required: true }, 'needsAuthenticator'],
  ['with a code alone', { own: code }, 'authenticateTOTP'],
  ['with both', { own: both }, 'authenticating'],
  ['with both, by choice', { own: both, preferCode: true }, 'authenticateTOTP'],
  ['with a key alone, whatever the address says', { own: key, preferCode: true }, 'authenticating'],
  ['after a step-up with a code', { own: code, proved: true }, 'registering'],
  ['after a step-up that the server wanted', { own: key, required: true, proved: true }, 'registering'],
  ['when the proof was refused', { own: key, required: true }, 'authenticating'],
])('%s a registration is at the right step', (_, given, state) => {
  expect(wizardState({ ...facts, ...given })).toBe(state);
});
