import { completed, createRun, PENDING, poll, reasonOf, TRIED_CHECK, updateRun } from './scratch.js';

const PATIENCE_MS = 30_000;
/** GitHub could refuse a merge because it doesn’t know the newest run yet. */
const HOLD_MS = 3_000;
const ON_PAGE =
  'Only GitHub’s page shows it: add a rule there, and search for OTP Guard before its first success.';
const NO_RULES = 'GitHub protects no branch here. Use a public repository, or one with a paid plan.';

/** Which check run counts for a rule, and which App a rule binds the check to. Merges into a base of its own. */
export async function tryRule(scratch, pull) {
  const page = { id: 'selectable-on-page', notTried: ON_PAGE };
  await createRun(scratch, pull.head, completed('cancelled'));
  const bound = await requireCheck(scratch, pull.base);
  if (bound === null) {
    const ids = ['newest-run-counts', 'pending-takes-back', 'action-required-refuses', 'cancelled-is-known'];
    return [page, ...ids.map((id) => ({ id, notTried: NO_RULES }))];
  }
  return [
    page,
    { id: 'cancelled-is-known', seen: bound === scratch.appId ? 'bound to this App' : 'bound to no App' },
    ...(await tryWhichRunCounts(scratch, pull)),
  ];
}

/** Requires the check by name alone. Resolves to the App that GitHub bound it to, 0 for none; null if it can't. */
async function requireCheck({ person, at, undo }, branch) {
  let isProtected = true;
  const unprotect = async () =>
    isProtected && (await person.rest.repos.deleteBranchProtection({ ...at, branch }));
  undo.add(`the protection of ${branch}`, unprotect);
  const request = person.rest.repos.updateBranchProtection({
    ...{ ...at, branch, enforce_admins: true, required_pull_request_reviews: null, restrictions: null },
    required_status_checks: { strict: false, contexts: [TRIED_CHECK] },
  });
  const answer = await request.catch((error) => {
    if (error.status === 403) return null;
    throw error;
  });
  isProtected = answer !== null;
  if (!answer) return null;
  const found = answer.data.required_status_checks?.checks.find(({ context }) => context === TRIED_CHECK);
  return found?.app_id ?? 0;
}

async function tryWhichRunCounts(scratch, pull) {
  const create = (state) => createRun(scratch, pull.head, state);
  const seen = (isMerged) => (isMerged ? 'the merge is done' : 'the merge is refused');
  const [older, newer] = [await create(PENDING), await create(PENDING)];
  await updateRun(scratch, newer, completed('failure'));
  await updateRun(scratch, older, completed('success'));
  const byOlder = await isMergedBy(scratch, pull, { id: older, status: 'completed' });
  const first = { id: 'newest-run-counts', seen: seen(byOlder) };
  const afterMerge = (id) => ({ id, notTried: 'The pull request was merged before it.' });
  if (byOlder) return [first, afterMerge('pending-takes-back'), afterMerge('action-required-refuses')];
  await create(completed('success'));
  const pending = await create(PENDING);
  const byPending = await isMergedBy(scratch, pull, { id: pending, status: 'in_progress' });
  const second = { id: 'pending-takes-back', seen: seen(byPending) };
  if (byPending) return [first, second, afterMerge('action-required-refuses')];
  const denied = await create(completed('action_required'));
  const byDenied = await isMergedBy(scratch, pull, { id: denied, status: 'completed' });
  const all = [first, second, { id: 'action-required-refuses', seen: seen(byDenied) }];
  if (byDenied) return all;
  // A merge that is refused shows something only if nothing else refuses it.
  await create(completed('success'));
  if (await isMergedWithin(scratch, pull, PATIENCE_MS)) return all;
  const notTried = 'Another rule refuses merges into new branches of this repository.';
  return all.map(({ id }) => ({ id, notTried }));
}

/** Tries a merge for a moment, once GitHub shows the run in this state and knows whether the branches fit. */
async function isMergedBy(scratch, pull, { id: run, status }) {
  const { person, installation, at } = scratch;
  await poll(scratch, PATIENCE_MS, async () => {
    const all = { ref: pull.head, check_name: TRIED_CHECK, filter: 'all' };
    const { data } = await installation.rest.checks.listForRef({ ...at, ...all });
    return data.check_runs.find((one) => one.id === run && one.status === status);
  });
  await poll(scratch, PATIENCE_MS, async () => {
    const { data } = await person.rest.pulls.get({ ...at, pull_number: pull.number });
    return data.mergeable ?? undefined;
  });
  return isMergedWithin(scratch, pull, HOLD_MS);
}

const isMergedWithin = async (scratch, pull, ms) =>
  (await poll(scratch, ms, async () => (await merge(scratch, pull)) || undefined)) ?? false;

/** @throws an Error if GitHub refuses for another reason than a rule. */
async function merge({ person, at, signal }, { number, head }) {
  signal.throwIfAborted();
  try {
    await person.rest.pulls.merge({ ...at, pull_number: number, sha: head, request: { signal } });
    return true;
  } catch (error) {
    if (error.status === 405) return false;
    throw new Error(reasonOf(error), { cause: error });
  }
}
