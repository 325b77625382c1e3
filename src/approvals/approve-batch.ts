import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import pMap from 'p-map';
import { AppError } from '../app-error.ts';
import { consumeChallenge } from '../authenticators/challenges.ts';
import { type VerifiedAssertion, verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { BatchAnswer, LeftOut } from '../contract/approvals.ts';
import type { LoggedVerdict } from '../contract/log-entry.ts';
import type { BatchStatement } from '../contract/statement.ts';
import type { Person } from '../people/ports.ts';
import type { ApproveDeps } from './approve.ts';
import { repositoryOf } from './authorize-approver.ts';
import { type AuthorizedStatement, authorizeStatement, readBeforeAsking } from './authorize-statement.ts';
import { type BatchSubject, findBatch } from './batch-challenge.ts';
import { claimedUse } from './claimed-use.ts';
import { eachItem, leftOut, splitItems } from './each-item.ts';
import { requireCounted, type Use } from './require-counted.ts';
import { byKey, storeApproval } from './store-approval.ts';

export type ApproveBatchDeps = ApproveDeps & {
  /** Called if an approval of a batch wasn't stored after the assertion was used up. */
  onNotStored(error: unknown): void;
};

type Item = BatchSubject['items'][number];
type Ready = Item & { authorized: AuthorizedStatement; verdict: LoggedVerdict | null };
type Signed = { person: Person; response: AuthenticationResponseJSON; batch: BatchStatement };

/** How many approvals are stored and shown on GitHub at the same time. */
const AT_ONCE = 4;

/**
 * Approves several heads with one assertion over the batch of their statements, in the order of `approve`: GitHub is
 * asked about all of them before the challenge is consumed, once, and the assertion verified, once. Those that changed
 * since, or wouldn't count, are left out; if all are, nothing is used up. Each of the others is then stored like a
 * single approval, and what fails for one leaves the others as they are.
 *
 * @throws AppError if none can be approved by this assertion, or in an outage before it's used up.
 */
export async function approveBatch(
  deps: ApproveBatchDeps,
  input: { person: Person; orgID: number; response: AuthenticationResponseJSON },
): Promise<BatchAnswer> {
  const { person, orgID, response } = input;
  const { userId } = person;
  const { challenge, batch, items } = await findBatch(deps.challenges, { userId, orgID, response });
  const org = await deps.organizations.byOrgId(orgID);
  if (!org) throw new AppError('installationNotFound');
  const registered = await deps.credentials.list(userId, org.id);
  const use = claimedUse(registered, response);
  const checked = await eachItem(
    items,
    ({ target }) => target,
    (item) => checkItem(deps, { person, use, item }),
  );
  const { done: ready, left } = splitItems(checked);
  if (ready.length === 0) return { approved: [], left };

  await consumeChallenge(deps, challenge);
  const verified = await verifyAssertion(deps, { response, challenge, orgRecordId: org.id, registered });
  const signed = { person, response, batch };
  const stored = await pMap(ready, (item) => storeItem(deps, signed, verified, item), {
    concurrency: AT_ONCE,
  });
  const { done: approved, left: failed } = splitItems(stored);
  return { approved, left: [...left, ...failed] };
}

/** @param input.use Null if the person doesn't have the credential: then `verifyAssertion` refuses it. */
async function checkItem(
  deps: ApproveBatchDeps,
  { person, use, item }: { person: Person; use: Use | null; item: Item },
): Promise<Ready> {
  const { statement, target } = item;
  const at = { repo: repositoryOf(target), repoId: statement.repo.id, head: statement.head };
  const before = await readBeforeAsking(deps, at, target.ownerID);
  const authorized = await authorizeStatement(deps, { person, statement, target, before });
  const verdict = use && (await requireCounted(deps, { person, authorized, use }));
  return { ...item, authorized, verdict };
}

/** The assertion is used up, so no failure may hide a stored approval. */
async function storeItem(
  deps: ApproveBatchDeps,
  { person, response, batch }: Signed,
  verified: VerifiedAssertion,
  { statement, target, authorized, verdict }: Ready,
): Promise<BatchAnswer['approved'][number] | LeftOut> {
  const proof = byKey(verified, { assertion: response, batch });
  try {
    const answer = await storeApproval(deps, { person, authorized, verdict, statement, ...proof });
    return { repo: target.repo, pr: target.pr, ...answer };
  } catch (error) {
    deps.onNotStored(error);
    return leftOut(target, error instanceof AppError ? error : new AppError('internal'));
  }
}
