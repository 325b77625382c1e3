import type { EnrolmentMode } from '../../../../src/contract/policy.ts';
import { stepUpMethod } from '../../lib/step-up.ts';
import type { OwnAuthenticators } from '../../lib/user.ts';

/** The current step of a registration. */
export type WizardState =
  | 'unknown'
  | 'needsAuthenticator'
  | 'authenticating'
  | 'authenticateTOTP'
  | 'confirmingAddress'
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
  /** How the organization guards a first authenticator; null until the server has answered. */
  mode: EnrolmentMode | null;
  /** Whether the person has entered the code that was sent to their company address. */
  hasEmailCode: boolean;
};

/** A person registers their first authenticator as the organization's mode asks, and must step up for any further one. */
export function wizardState(facts: Facts): WizardState {
  const { ownAuthenticators, isRequired, hasProof, preferCode, mode, hasEmailCode } = facts;
  if (!ownAuthenticators) return 'unknown';
  if (hasProof) return 'registering';
  const method = stepUpMethod(ownAuthenticators, preferCode);
  if (method === 'key') return 'authenticating';
  if (method === 'code') return 'authenticateTOTP';
  if (isRequired) return 'needsAuthenticator';
  if (mode === null) return 'unknown';
  return mode === 'email' && !hasEmailCode ? 'confirmingAddress' : 'registering';
}
