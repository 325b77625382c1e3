import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { RequestOptions } from '../../contract/approvals.ts';
import type { AuthenticatorType } from '../../contract/authenticator-kinds.ts';
import type { Enrolled } from '../../contract/enrolment.ts';
import type { PolicyStatement } from '../../contract/statement.ts';
import type { StepUp, StepUpAction } from '../../contract/step-up.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { consumeOneTimeCode } from '../codes/one-time-code.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { publicKeySha256 } from '../logged-credential.ts';
import {
  consumeChallenge,
  findChallenge,
  issueForKeys,
  requireHashOf,
  statementParts,
} from './challenges.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** An action that a step-up confirms, with the authenticator, the member (by GitHub's id) or the policy that it is about. */
export type Action = {
  type: StepUpAction;
  authenticatorID?: string | undefined;
  memberID?: number | undefined;
  /** SHA-256, base64url, over the RFC 8785 form of the policy. A one-time code doesn't cover it. */
  policySha256?: string | undefined;
};

/** The authenticator that confirmed an action. */
export type Confirmation = {
  type: AuthenticatorType;
  enrolled: Enrolled;
  /** The log's name for the authenticator: SHA-256, base64url, over its COSE public key; `totp` for a one-time code. */
  confirmedBy: string;
  /** The signed statement and its proof; null for a one-time code, and for an action without a statement. */
  signed: { statement: PolicyStatement; assertion: unknown; publicKey: string } | null;
};

/**
 * The options for confirming this action with one of the person's own passkeys
 * or security keys in this organization. For a policy, the challenge is the hash
 * of a statement, so that their authenticator signs which policy it is.
 *
 * @throws AppError `missingAuthenticator` if the person has none, or why theirs don't count.
 */
export async function stepUpOptions(
  deps: AuthenticatorDeps,
  input: { session: Session; org: Organization; action: Action },
): Promise<{ challenge: string; options: RequestOptions; statement?: PolicyStatement }> {
  const { session, org, action } = input;
  const { policySha256 } = action;
  const statement: PolicyStatement | undefined =
    policySha256 === undefined
      ? undefined
      : {
          ...statementParts({ ...deps, host: deps.relyingParty.origin }, { person: session, org }),
          purpose: 'policy',
          policySha256,
        };
  const issued = await issueForKeys(deps, {
    person: session,
    org,
    purpose: action.type,
    statement,
    subject: { ...subjectOf(action), ...(statement && { statement }) },
  });
  return { ...issued, ...(statement && { statement }) };
}

/**
 * Verifies that the proof is for exactly this action, and uses it up.
 *
 * @throws AppError `otherStepUp` if it is for another action, and the refusals
 *   of its challenge, assertion or code.
 */
export async function requireStepUp(
  deps: AuthenticatorDeps,
  input: { session: Session; org: Organization; action: Action; proof: StepUp },
): Promise<Confirmation> {
  const { session, org, action, proof } = input;
  if (!isSame({ ...proof, policySha256: action.policySha256 }, action)) throw new AppError('otherStepUp');
  if (proof.otp !== undefined) {
    const app = await consumeOneTimeCode(deps, { userId: session.userId, org, code: proof.otp });
    return { type: 'totp', enrolled: app.enrolled, confirmedBy: 'totp', signed: null };
  }
  const response = proof.webauthn as AuthenticationResponseJSON | undefined;
  if (!response) throw new AppError('stepUpRequired');
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: action.type,
    userId: session.userId,
    orgId: org.orgId,
  });
  const subject = challenge.subject as Subject;
  if (!isSame({ type: action.type, ...subject }, action)) throw new AppError('otherStepUp');
  const { statement } = subject;
  if (statement) requireHashOf(statement, challenge);
  await consumeChallenge(deps, challenge);
  const { credential } = await verifyAssertion(deps, { response, challenge, orgRecordId: org.id });
  const { type, enrolled, publicKey } = credential;
  return {
    type,
    enrolled,
    confirmedBy: publicKeySha256(publicKey),
    signed: statement ? { statement, assertion: response, publicKey } : null,
  };
}

/** @throws AppError `stepUpRequired` without a proof. @param action What the person wants to do, as in "delete one". */
export function requireProof(proof: StepUp | undefined, action: string): StepUp {
  if (proof) return proof;
  throw new AppError('stepUpRequired', { sentence: `Confirm with an authenticator before you ${action}.` });
}

/** The parts that a challenge is bound to, besides its type, person and organization. */
type Subject = {
  authenticatorID?: string | null | undefined;
  memberID?: number | null | undefined;
  policySha256?: string | null | undefined;
  statement?: PolicyStatement | undefined;
};

function subjectOf({ authenticatorID, memberID, policySha256 }: Action): Omit<Subject, 'statement'> {
  return {
    authenticatorID: authenticatorID ?? null,
    memberID: memberID ?? null,
    policySha256: policySha256 ?? null,
  };
}

function isSame(one: { type: StepUpAction } & Subject, other: Action): boolean {
  return (
    one.type === other.type &&
    (one.authenticatorID ?? null) === (other.authenticatorID ?? null) &&
    (one.memberID ?? null) === (other.memberID ?? null) &&
    (one.policySha256 ?? null) === (other.policySha256 ?? null)
  );
}
