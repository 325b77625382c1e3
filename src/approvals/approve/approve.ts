import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import pMap from 'p-map';
import { consumeOneTimeCode } from '../../authenticators/codes/one-time-code.ts';
import type { Challenge, Challenges, Credential, TotpApp } from '../../authenticators/ports.ts';
import { ASSURED_TOTP, assuredOf } from '../../authenticators/require-assured.ts';
import { consumeChallenge, findChallenge } from '../../authenticators/step-up/challenges.ts';
import {
  assertionFlags,
  type VerifiedAssertion,
  verifyAssertion,
} from '../../authenticators/step-up/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget, BatchAnswer } from '../../contract/approvals.ts';
import {
  type DenyStatement,
  type Statement,
  statement as statementSchema,
} from '../../contract/statement.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { KeyProof } from '../ports.ts';
import { type AuthorizedTarget, authorizeApprover } from './authorize-approver.ts';
import { attemptEach, findBatch, leftOut, splitItems } from './batch.ts';
import type { ApproveDeps } from './deps.ts';
import { type AnyStatement, makeStatement, statementChallenge } from './make-statement.ts';
import { requireCounted, type Use } from './require-counted.ts';
import { storeApproval } from './store-approval.ts';

// Every approval goes the same way: read (GitHub and our records), refuse or continue, use up the proof, verify it,
// store, show. GitHub is asked first, so that an outage, a new head or an approval that wouldn't count uses nothing up.
// The approval is stored before GitHub is updated: after that, an outage delays the green check and loses nothing.

/**
 * Approves one head with an assertion over its statement.
 *
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approve(
  deps: ApproveDeps,
  input: { person: Person; target: ApprovalTarget; response: AuthenticationResponseJSON },
): Promise<ApprovalAnswer> {
  const { person, target, response } = input;
  const { challenge, statement } = await findSigned(deps.challenges, {
    purpose: 'approve',
    schema: statementSchema,
    userId: person.userId,
    response,
  });
  const authorized = await authorizeApprover(deps, person, target, { head: { repoId: statement.repo.id } });
  requireSameTarget(deps, statement, { person, authorized });
  const orgRecordId = authorized.org.id;
  const list = deps.credentials.list(person.userId, orgRecordId);
  const use = list.then((held) => allegedUse(held, response));
  const counted = await requireCounted(deps, { person, authorized, use });
  await consumeChallenge(deps, challenge);
  const assertion = { response, challenge, orgRecordId, registered: await list, isTimeSaved: true };
  const proof = byKey(await verifyAssertion(deps, assertion), { assertion: response });
  return storeApproval(deps, { person, authorized, ...counted, statement, ...proof });
}

/**
 * Approves one head for one base branch with a one-time code. Its statement says what was approved, but no key has
 * signed it.
 *
 * @param input.base The base branch that the person saw. A code signs nothing, so this is all that binds it.
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approveWithCode(
  deps: ApproveDeps,
  input: { person: Person; target: ApprovalTarget; base: string; code: string },
): Promise<ApprovalAnswer> {
  const { person, target, base, code } = input;
  const repoId = target.repoID ?? (await findRepositoryId(deps, target));
  const authorized = await authorizeApprover(deps, person, target, { head: { repoId } });
  const { org, pull } = authorized;
  if (pull.base !== base) throw new AppError('baseMoved');
  const use = { ...ASSURED_TOTP, userVerified: false };
  const counted = await requireCounted(deps, { person, authorized, use });
  const app = await consumeOneTimeCode(deps, { userId: person.userId, org, code });
  return storeApproval(deps, {
    person,
    authorized,
    ...counted,
    statement: makeStatement(deps, { person, org, pull }),
    ...byCode(app),
  });
}

/** The number of approvals that are stored and shown on GitHub simultaneously. */
const AT_ONCE = 4;

/**
 * Approves several heads with one assertion over the batch of their statements. GitHub is asked about all of them before
 * the challenge is consumed and the assertion verified, once. Heads that changed since, or wouldn't count, are left
 * out; if all are, nothing is used up. Each of the others is then stored like a single approval, and what fails for one
 * leaves the others as they are.
 *
 * @throws AppError if none can be approved by this assertion, or in an outage before it's used up.
 */
export async function approveBatch(
  deps: ApproveDeps,
  input: { person: Person; orgID: number; response: AuthenticationResponseJSON },
): Promise<BatchAnswer> {
  const { person, orgID, response } = input;
  const { userId } = person;
  const { challenge, batch, items } = await findBatch(deps.challenges, { userId, orgID, response });
  const org = await deps.organizations.byOrgId(orgID);
  if (!org) throw new AppError('installationNotFound');
  const registered = await deps.credentials.list(userId, org.id);
  const use = allegedUse(registered, response);
  const checked = await attemptEach(items, async ({ statement, target }) => {
    const authorized = await authorizeApprover(deps, person, target, { head: { repoId: statement.repo.id } });
    requireSameTarget(deps, statement, { person, authorized });
    const counted = await requireCounted(deps, { person, authorized, use });
    return { person, statement, target, authorized, ...counted };
  });
  const { done: ready, left } = splitItems(checked);
  if (ready.length === 0) return { approved: [], left };

  await consumeChallenge(deps, challenge);
  const assertion = { response, challenge, orgRecordId: org.id, registered, isTimeSaved: true };
  const proof = byKey(await verifyAssertion(deps, assertion), { assertion: response, batch });
  const stored = await pMap(
    ready,
    async ({ target, ...item }) => {
      try {
        return { repo: target.repo, pr: target.pr, ...(await storeApproval(deps, { ...item, ...proof })) };
      } catch (error) {
        // The assertion is used up, so no failure may hide a stored approval.
        deps.onNotStored(error);
        return leftOut(target, error instanceof AppError ? error : new AppError('internal'));
      }
    },
    { concurrency: AT_ONCE },
  );
  const { done: approved, left: failed } = splitItems(stored);
  return { approved, left: [...left, ...failed] };
}

/** The challenge that an assertion answers, and the statement that it's the hash of. Nothing is verified yet. */
export async function findSigned<Signed extends AnyStatement>(
  challenges: Challenges,
  wanted: {
    purpose: Signed['purpose'];
    schema: { parse(subject: unknown): Signed };
    userId: string;
    response: AuthenticationResponseJSON;
  },
): Promise<{ challenge: Challenge; statement: Signed }> {
  const { purpose, schema, userId } = wanted;
  const { clientDataJSON } = wanted.response.response;
  // The target may be from before a transfer, so the organization is compared with GitHub's answer later.
  const challenge = await findChallenge(challenges, { clientDataJSON, purpose, userId, orgId: undefined });
  const statement = schema.parse(challenge.subject);
  // The signature covers the statement by its hash only, so that hash has to be the challenge.
  if (statementChallenge(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  return { challenge, statement };
}

/** The id of the one repository with this pull request, for a target without it. */
export async function findRepositoryId({ openPulls }: ApproveDeps, { pr, head }: ApprovalTarget) {
  const [repository, another] = await openPulls.repositories({ pr, head }, 2);
  return another ? undefined : repository?.id;
}

export function requireSameTarget(
  { origins }: Pick<ApproveDeps, 'origins'>,
  statement: Statement | DenyStatement,
  { person, authorized: { org, pull } }: { person: Person; authorized: AuthorizedTarget },
): void {
  // Every id: another repository can have the same number and head, and this one another owner since it was signed.
  const isSame =
    statement.host === origins.publicUrl &&
    statement.user.id === person.githubId &&
    statement.org.id === org.orgId &&
    statement.repo.id === pull.repo.id &&
    statement.pr === pull.number;
  if (!isSame) throw new AppError('challengeUnknown');
  if (statement.head !== pull.head) throw new AppError('headMoved');
  if (statement.base !== pull.base) throw new AppError('baseMoved');
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

/** The fields of an approval or a denial that a verified assertion gives, with its proof. */
export const byKey = (
  { credential, userVerified }: VerifiedAssertion,
  signed: Omit<KeyProof, 'publicKey'>,
) => ({
  made: {
    method: credential.type,
    authenticator: credential.id,
    userVerified,
    aaguid: credential.aaguid,
    modelVerified: credential.modelVerified,
    proof: { ...signed, publicKey: credential.publicKey },
  },
  label: credential.label,
  key: credential,
});

/** The same of a one-time code, which proves nothing to others. */
export const byCode = ({ id, label }: Pick<TotpApp, 'id' | 'label'>) => ({
  made: {
    method: 'totp' as const,
    authenticator: id,
    userVerified: false,
    aaguid: '',
    modelVerified: false,
    proof: null,
  },
  label,
  key: null,
});
