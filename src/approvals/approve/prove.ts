import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { consumeOneTimeCode } from '../../authenticators/codes/one-time-code.ts';
import type { Credential } from '../../authenticators/ports.ts';
import { ASSURED_TOTP, assuredOf } from '../../authenticators/require-assured.ts';
import { consumeChallenge, findChallenge } from '../../authenticators/step-up/challenges.ts';
import {
  assertionFlags,
  type VerifiedAssertion,
  verifyAssertion,
} from '../../authenticators/step-up/verify-assertion.ts';
import type { AnyStatement } from '../../contract/statement.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import type { KeyProof } from '../ports.ts';
import type { ApproveDeps } from './deps.ts';
import { statementChallenge } from './make-statement.ts';
import type { Use } from './require-counted.ts';
import type { AuthorizedIn, VerifiedGiven } from './store-approval.ts';

/** What a person decides with: an assertion over the statement, or a one-time code. */
export type Proof = { response: AuthenticationResponseJSON } | { code: string };

/** What differs between approving and denying a head, and approving and rejecting a deployment. */
type Kind<Signed extends AnyStatement, Authorized extends AuthorizedIn, Counted> = {
  purpose: Signed['purpose'];
  schema: { parse(subject: unknown): Signed };
  /** Asks GitHub whether the person may decide, and refuses another target than the signed one; null for a code. */
  authorize(signed: Signed | null): Promise<Authorized>;
  /** Refuses a decision that wouldn't count. The use is null for a credential that isn't the person's. */
  requireCounted(authorized: Authorized, use: Promise<Use | null>): Promise<Counted>;
  /** The statement of a decision by a code: no key signs it. */
  makeStatement(authorized: Authorized): Signed;
};

/**
 * Proves a decision of a person. Every one goes the same way: read (GitHub and our records), refuse or continue, use up
 * the proof, verify it; the caller stores it then and shows it. GitHub is asked first, so that an outage, a new head or a
 * decision that wouldn't count uses nothing up.
 *
 * @param input.reason Why the person denies or rejects it.
 * @throws AppError with each refusal of the kind; `challengeUnknown` for another statement than the signed one, and
 *   `otherReason` if another reason was signed.
 */
export async function prove<Signed extends AnyStatement, Authorized extends AuthorizedIn, Counted>(
  deps: ApproveDeps,
  { person, proof, reason = '' }: { person: Person; proof: Proof; reason?: string | undefined },
  kind: Kind<Signed, Authorized, Counted>,
): Promise<VerifiedGiven<Signed, Authorized> & Counted> {
  const { userId } = person;
  if ('code' in proof) {
    const authorized = await kind.authorize(null);
    const use = { ...ASSURED_TOTP, userVerified: false };
    const counted = await kind.requireCounted(authorized, Promise.resolve(use));
    const { id, label } = await consumeOneTimeCode(deps, { userId, org: authorized.org, code: proof.code });
    // A code proves nothing to others.
    const made = { ...use, authenticator: id, proof: null };
    return { person, authorized, ...counted, statement: kind.makeStatement(authorized), made, label };
  }
  const { response } = proof;
  const { purpose, schema } = kind;
  const { clientDataJSON } = response.response;
  // The target may be from before a transfer, so `authorize` compares the organization with GitHub's answer.
  const wanted = { clientDataJSON, purpose, userId, orgId: undefined };
  const challenge = await findChallenge(deps.challenges, wanted);
  const statement = schema.parse(challenge.subject);
  // The signature covers the statement by its hash only, so that hash has to be the challenge.
  if (statementChallenge(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  const isOtherReason = 'reasonSha256' in statement && statement.reasonSha256 !== sha256Base64url(reason);
  if (isOtherReason) throw new AppError('otherReason');
  const authorized = await kind.authorize(statement);
  const orgRecordId = authorized.org.id;
  const list = deps.credentials.list(userId, orgRecordId);
  const counted = await kind.requireCounted(
    authorized,
    list.then((held) => allegedUse(held, response)),
  );
  await consumeChallenge(deps, challenge);
  const assertion = { response, challenge, orgRecordId, registered: await list, isTimeSaved: true };
  const verified = await verifyAssertion(deps, assertion);
  return { person, authorized, ...counted, statement, ...byKey(verified, { assertion: response }) };
}

/**
 * Finds the credential of the person that made an assertion, as it says. Nothing is verified yet: `verifyAssertion` does
 * that, and refuses a credential that isn't the person's, for which this is null.
 */
export function allegedUse(held: Credential[], response: AuthenticationResponseJSON): Use | null {
  const credential = held.find(({ keyId }) => keyId === response.id);
  if (!credential) return null;
  const { userVerified, backupEligible } = assertionFlags(response.response.authenticatorData);
  // The stored approval is judged by the flags that the key signed, which can differ from those of its registration.
  const isCopied = credential.backupEligible || backupEligible;
  return { ...assuredOf({ ...credential, backupEligible: isCopied }), userVerified };
}

/** The authenticator of a verified assertion, and its proof. */
export const byKey = (
  { credential, userVerified }: VerifiedAssertion,
  signed: Omit<KeyProof, 'publicKey'>,
) => ({
  made: {
    ...{ ...assuredOf(credential), userVerified, authenticator: credential.id },
    proof: { ...signed, publicKey: credential.publicKey },
  },
  label: credential.label,
});
