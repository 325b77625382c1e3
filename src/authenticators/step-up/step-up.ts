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
import { issueForKeys, statementParts } from './challenges.ts';
import { requireAnswer } from './verify-assertion.ts';

/** An action that a step-up confirms, with the authenticator, the member (by GitHub's id), the denial or the policy that it is about. */
export type Action = {
  type: StepUpAction;
  authenticatorID?: string | undefined;
  memberID?: number | undefined;
  denialID?: string | undefined;
  /** SHA-256, base64url, over the RFC 8785 form of the policy. A one-time code doesn't cover it. */
  policySha256?: string | undefined;
};

/** The subject of a step-up's challenge: the action that it's for, and the statement that is signed. */
type Subject = Omit<Action, 'type'> & { statement?: PolicyStatement };

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
  const { type: purpose, ...about } = action;
  const { policySha256 } = about;
  const statement: PolicyStatement | undefined =
    policySha256 === undefined
      ? undefined
      : {
          ...statementParts({ ...deps, host: deps.relyingParty.origin }, { person: session, org }),
          purpose: 'policy',
          policySha256,
        };
  const issued = await issueForKeys(deps, { person: session, org, purpose, statement, about });
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
  const { credential, signed } = await requireAnswer<Subject>(deps, {
    person: session,
    org,
    purpose: action.type,
    response,
    isAbout: (subject) => isSame({ ...subject, type: action.type }, action),
  });
  const { statement } = signed;
  return {
    type: credential.type,
    enrolled: credential.enrolled,
    confirmedBy: publicKeySha256(credential.publicKey),
    signed: statement ? { ...signed, statement } : null,
  };
}

/** @throws AppError `stepUpRequired` without a proof. @param action What the person wants to do, as in "delete one". */
export function requireProof(proof: StepUp | undefined, action: string): StepUp {
  if (proof) return proof;
  throw new AppError('stepUpRequired', { sentence: `Confirm with an authenticator before you ${action}.` });
}

function isSame(one: Action, other: Action): boolean {
  return (
    one.type === other.type &&
    one.authenticatorID === other.authenticatorID &&
    one.memberID === other.memberID &&
    one.denialID === other.denialID &&
    one.policySha256 === other.policySha256
  );
}
