import { expect, test } from '@jest/globals';
import { type WizardState, wizardState } from '../../../web/src/features/registration/wizard.ts';

const nothing = { totp: false, webauthn: [] };
const code = { totp: true, webauthn: [] };
const key = { totp: false, webauthn: [{ id: 'credential' }] };
const both = { totp: true, webauthn: [{ id: 'credential' }] };
const facts = {
  ownAuthenticators: nothing,
  isRequired: false,
  hasProof: false,
  preferCode: false,
  mode: 'open',
  hasEmailCode: false,
} as const;

test.each<[string, Partial<Parameters<typeof wizardState>[0]>, WizardState]>([
  ['waits until the authenticators are known', { ownAuthenticators: null }, 'unknown'],
  ['registers the first authenticator directly', { ownAuthenticators: nothing }, 'registering'],
  ['waits for the mode before a first authenticator', { mode: null }, 'unknown'],
  ['asks for a company address first', { mode: 'email' }, 'confirmingAddress'],
  ['registers with the code from the e-mail', { mode: 'email', hasEmailCode: true }, 'registering'],
  ['registers one that waits for a vouch directly', { mode: 'vouched' }, 'registering'],
  ['asks for no address after a first one', { ownAuthenticators: key, mode: null }, 'authenticating'],
  ['requires an authenticator if a step-up is required', { isRequired: true }, 'needsAuthenticator'],
  ['steps up with a code if there is only an app', { ownAuthenticators: code }, 'authenticateTOTP'],
  ['steps up with a passkey if there are both', { ownAuthenticators: both }, 'authenticating'],
  [
    'steps up with a code if there are both and the person prefers the code',
    { ownAuthenticators: both, preferCode: true },
    'authenticateTOTP',
  ],
  [
    'steps up with a passkey if there is no app, even if the address prefers a code',
    { ownAuthenticators: key, preferCode: true },
    'authenticating',
  ],
  ['registers after a step-up with a code', { ownAuthenticators: code, hasProof: true }, 'registering'],
  [
    'registers after a step-up that the server required',
    { ownAuthenticators: key, isRequired: true, hasProof: true },
    'registering',
  ],
  ['steps up again after a refusal', { ownAuthenticators: key, isRequired: true }, 'authenticating'],
])('%s', (_, given, state) => {
  expect(wizardState({ ...facts, ...given })).toBe(state);
});
