import type { AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { Assurance, Policy } from '../contract/policy.ts';
import type { Organization } from '../organizations/ports.ts';
import {
  type AssuranceFault,
  type AssuredAuthenticator,
  approvalFault,
  assuranceSentence,
} from '../policies/assurance.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorDeps } from './deps.ts';
import type { Credential } from './ports.ts';

/** A credential, as an organization's assurance sees it. */
export const assuredOf = (
  credential: Pick<Credential, 'type' | 'backupEligible' | 'aaguid' | 'modelVerified'>,
): AssuredAuthenticator => ({
  method: credential.type,
  deviceBound: !credential.backupEligible,
  aaguid: credential.aaguid,
  modelVerified: credential.modelVerified,
});

/** A one-time-code app: its secret can be copied, and it names no model. */
export const ASSURED_TOTP: AssuredAuthenticator = {
  method: 'totp',
  deviceBound: false,
  aaguid: '',
  modelVerified: false,
};

/** @throws AppError `notAccepted` with why the organization doesn't accept this use of the authenticator, and what to register. */
export function requireAssured(
  { relyingParty }: Pick<AuthenticatorDeps, 'relyingParty'>,
  use: AssuredAuthenticator & { userVerified: boolean },
  { org, policy: { assurance } }: { org: Organization; policy: Policy },
): void {
  const fault = approvalFault(assurance, use, relyingParty.hasAttestationRoots);
  if (fault) throw notAccepted(fault, assurance, use.method, org.name);
}

/**
 * Refuses before a ceremony, when only the kind of authenticator is known.
 *
 * @throws AppError `notAccepted` if the organization accepts none of that kind.
 */
export function requireAcceptedMethod(assurance: Assurance, method: AuthenticatorType, org: string): void {
  if (!assurance.methods.includes(method)) throw notAccepted('methods', assurance, method, org);
}

const notAccepted = (fault: AssuranceFault, assurance: Assurance, method: AuthenticatorType, org: string) =>
  new AppError('notAccepted', { sentence: assuranceSentence(fault, assurance, { method }, org) });
