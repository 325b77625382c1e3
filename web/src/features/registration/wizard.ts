import { stepUpMethod } from '../../lib/step-up.ts';
import type { OwnAuthenticators } from '../../lib/user.ts';

/** The current step of a registration. */
export type WizardState =
  | 'unknown'
  | 'needsAuthenticator'
  | 'authenticating'
  | 'authenticateTOTP'
  | 'registering';

type Facts = {
  /** The person's authenticators in the organization; null until the server has confirmed them. */
  ownAuthenticators: OwnAuthenticators | null;
  /** Whether the server requires a step-up even if the person has no authenticator. */
  isRequired: boolean;
  /** Whether the person has authenticated for this registration. */
  hasProof: boolean;
  /** Whether the person prefers a code over a passkey or security key. */
  preferCode: boolean;
};

/** A person registers their first authenticator directly, and must step up for any further one. */
export function wizardState({ ownAuthenticators, isRequired, hasProof, preferCode }: Facts): WizardState {
  if (!ownAuthenticators) return 'unknown';
  if (hasProof) return 'registering';
  const method = stepUpMethod(ownAuthenticators, preferCode);
  if (method === 'key') return 'authenticating';
  if (method === 'code') return 'authenticateTOTP';
  return isRequired ? 'needsAuthenticator' : 'registering';
}
