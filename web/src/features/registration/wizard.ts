import type { EmailCodeProof } from '../../../../src/contract/email.ts';
import type { EnrolmentMode } from '../../../../src/contract/policy.ts';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import type { OwnAuthenticators } from '../../lib/session/user.ts';
import { type StepUp, stepUpMethod } from '../../lib/signing/step-up.ts';

/** The current step of a registration. */
export type WizardState =
  | 'unknown'
  | 'needsAuthenticator'
  | 'authenticating'
  | 'authenticateTOTP'
  | 'confirmingAddress'
  | 'registering';

type Situation = {
  /** The person's authenticators in the organization; null until the server has confirmed them. */
  ownAuthenticators: OwnAuthenticators | null;
  /** True if the server requires a step-up even if the person has no authenticator. */
  isRequired: boolean;
  /** True if the person has authenticated for this registration. */
  hasProof: boolean;
  /** True if the person prefers a code over a passkey or security key. */
  preferCode: boolean;
  /** The guard of the organization's first authenticators; null until the server has answered. */
  mode: EnrolmentMode | null;
  /** True if the person has entered the code that was sent to their company address. */
  hasEmailCode: boolean;
};

/** A person registers their first authenticator as the organization's mode asks, and must step up for any further one. */
export function wizardState(situation: Situation): WizardState {
  const { ownAuthenticators, isRequired, hasProof, preferCode, mode, hasEmailCode } = situation;
  if (!ownAuthenticators) return 'unknown';
  if (hasProof) return 'registering';
  const method = stepUpMethod(ownAuthenticators, preferCode);
  if (method === 'key') return 'authenticating';
  if (method === 'code') return 'authenticateTOTP';
  if (isRequired) return 'needsAuthenticator';
  if (mode === null) return 'unknown';
  return mode === 'email' && !hasEmailCode ? 'confirmingAddress' : 'registering';
}

/** The additional fields of a registration, as the organization's mode or a device link needs them. */
export type Proofs = { stepUp?: StepUp; emailCode?: EmailCodeProof; deviceLink?: string };

type Code = ProblemCode | null;

/** The refusals of an e-mail code, with which a person goes back to the code. */
const CODE_REFUSALS: readonly Code[] = ['emailCodeUnknown', 'wrongEmailCode', 'tooManyEmailCodes'];

/** The refusals with which a person goes back to the address. */
const ADDRESS_REFUSALS: readonly Code[] = ['addressTaken', 'emailCodeRequired', 'otherDomain'];

/** The step of the company address to which a refused registration returns; null if the address isn't the reason. */
export function refusedStep(code: Code): 'code' | 'address' | null {
  if (CODE_REFUSALS.includes(code)) return 'code';
  return ADDRESS_REFUSALS.includes(code) ? 'address' : null;
}
