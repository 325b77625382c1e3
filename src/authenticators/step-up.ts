import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Organization, Session } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { RequestOptions } from '../contract/approvals.ts';
import type { StepUp, StepUpAction } from '../contract/step-up.ts';
import { findChallenge, issueChallenge, spendChallenge } from './challenges.ts';
import { type CodeDeps, spendOneTimeCode } from './one-time-code.ts';
import type { Challenges, Credentials, RelyingParty } from './ports.ts';
import { requestOptions } from './request-options.ts';
import { verifyAssertion } from './verify-assertion.ts';

export type StepUpDeps = CodeDeps & {
  challenges: Challenges;
  credentials: Credentials;
  relyingParty: RelyingParty;
  clock: Clock;
};

/** What a step-up proves: one action, in one organization, on one record where it has one. */
export type Action = { type: StepUpAction; authenticatorID?: string | undefined };

/**
 * The request that lets the person's own authenticators of this organization
 * prove this action.
 *
 * @throws AppError `missingAuthenticator` where none of them speaks WebAuthn.
 */
export async function stepUpOptions(
  deps: StepUpDeps,
  input: { session: Session; org: Organization; action: Action },
): Promise<{ challenge: string; options: RequestOptions }> {
  const { session, org, action } = input;
  const own = await deps.credentials.of(session.userId, org.id);
  if (own.length === 0) throw new AppError('missingAuthenticator');
  const options = await requestOptions(deps.relyingParty, own);
  await issueChallenge(deps, {
    challenge: options.challenge,
    purpose: action.type,
    userId: session.userId,
    orgId: org.orgId,
    subject: { authenticatorID: action.authenticatorID ?? null },
  });
  return { challenge: options.challenge, options };
}

/**
 * Takes a proof of this very action, and uses it up.
 *
 * @throws AppError `foreignStepUp` where it proves another action, and the
 *   refusals of its challenge, assertion or code.
 */
export async function requireStepUp(
  deps: StepUpDeps,
  input: { session: Session; org: Organization; action: Action; proof: StepUp },
): Promise<void> {
  const { session, org, action, proof } = input;
  if (proof.type !== action.type || proof.authenticatorID !== action.authenticatorID) {
    throw new AppError('foreignStepUp');
  }
  if (proof.otp !== undefined) {
    await spendOneTimeCode(deps, { userId: session.userId, org, code: proof.otp });
    return;
  }
  const response = proof.webauthn as AuthenticationResponseJSON | undefined;
  if (!response) throw new AppError('stepUpRequired');
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: action.type,
    userId: session.userId,
    orgId: org.orgId,
  });
  const { authenticatorID } = challenge.subject as { authenticatorID: string | null };
  if (authenticatorID !== (action.authenticatorID ?? null)) throw new AppError('foreignStepUp');
  await spendChallenge(deps, challenge);
  await verifyAssertion(deps, { response, challenge, orgRecordId: org.id });
}
