import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import pMap from 'p-map';
import { consumeChallenge } from '../../authenticators/step-up/challenges.ts';
import { verifyAssertion } from '../../authenticators/step-up/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget, BatchAnswer } from '../../contract/approvals.ts';
import {
  type DenyStatement,
  type Statement,
  statement as statementSchema,
} from '../../contract/statement.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { type AuthorizedTarget, authorizeApprover } from './authorize-approver.ts';
import { attemptEach, findBatch, leftOut, splitItems } from './batch.ts';
import type { ApproveDeps } from './deps.ts';
import { makeStatement } from './make-statement.ts';
import { allegedUse, byKey, prove } from './prove.ts';
import { requireCounted } from './require-counted.ts';
import { storeApproval } from './store-approval.ts';

/**
 * Approves one head with an assertion over its statement, or for one base branch with a one-time code. It's stored before
 * GitHub is updated: after that, an outage delays the green check and loses nothing.
 *
 * @param input.proof `base` is the base branch that the person saw. A code signs nothing, so this is all that binds it.
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approve(
  deps: ApproveDeps,
  input: {
    person: Person;
    target: ApprovalTarget;
    proof: { response: AuthenticationResponseJSON } | { code: string; base: string };
  },
): Promise<ApprovalAnswer> {
  const { person, target, proof } = input;
  const approval = await prove(deps, input, {
    purpose: 'approve',
    schema: statementSchema,
    async authorize(signed) {
      const authorized = await authorizeHead(deps, { person, target, signed });
      if ('base' in proof && authorized.pull.base !== proof.base) throw new AppError('baseMoved');
      return authorized;
    },
    requireCounted: (authorized, use) => requireCounted(deps, { person, authorized, use }),
    makeStatement: ({ org, pull }) => makeStatement(deps, { person, org, pull }),
  });
  return storeApproval(deps, approval);
}

/**
 * Authorizes a person for the head that they signed a statement about.
 *
 * @param input.signed Null for a one-time code: then it's the target's head.
 * @throws AppError as `authorizeApprover`, and for another head than the signed one.
 */
export async function authorizeHead(
  deps: ApproveDeps,
  input: { person: Person; target: ApprovalTarget; signed: Statement | DenyStatement | null },
): Promise<AuthorizedTarget> {
  const { person, target, signed } = input;
  const repoId = signed?.repo.id ?? target.repoID ?? (await findRepositoryId(deps, target));
  const authorized = await authorizeApprover(deps, person, target, { head: { repoId } });
  if (!signed) return authorized;
  const { org, pull } = authorized;
  // Every id: another repository can have the same number and head, and this one another owner since it was signed.
  const isSame =
    signed.host === deps.origins.publicUrl &&
    signed.user.id === person.githubId &&
    signed.org.id === org.orgId &&
    signed.repo.id === pull.repo.id &&
    signed.pr === pull.number;
  if (!isSame) throw new AppError('challengeUnknown');
  if (signed.head !== pull.head) throw new AppError('headMoved');
  if (signed.base !== pull.base) throw new AppError('baseMoved');
  return authorized;
}

/** The id of the one repository with this pull request, for a target without it. */
async function findRepositoryId({ openPulls }: ApproveDeps, { pr, head }: ApprovalTarget) {
  const [repository, another] = await openPulls.repositories({ pr, head }, 2);
  return another ? undefined : repository?.id;
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
    const authorized = await authorizeHead(deps, { person, target, signed: statement });
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
