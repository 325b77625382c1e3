import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { completed, createRun, PENDING, TRIED_CHECK, updateRun } from './runs.ts';
import { poll, reasonOf, type Scratch, statusOf } from './scratch.ts';

const PATIENCE_MS = 30_000;
/** What a merge is refused for could be that GitHub doesn’t know the newest run yet. */
const HOLD_MS = 3_000;
const ON_PAGE =
  'Only GitHub’s page shows it: add a rule there, and search for OTP Guard before its first success.';

/** Which check run counts for a rule, and which App a rule binds the check to. Merges into the base of its own. */
export async function tryRule(scratch: Scratch, pull: ScratchPull): Promise<Seen[]> {
  const page: Seen = { id: 'selectable-on-page', notTried: ON_PAGE };
  await createRun(scratch, pull.head, completed('cancelled'));
  const bound = await requireCheck(scratch, pull.base);
  if (bound === null) {
    const notTried = 'GitHub protects no branch here. Use a public repository, or one with a paid plan.';
    const ids = ['newest-run-counts', 'pending-takes-back', 'cancelled-is-known'] as const;
    return [page, ...ids.map((id) => ({ id, notTried }))];
  }
  return [
    page,
    { id: 'cancelled-is-known', seen: bound === scratch.appId ? 'bound to this App' : 'bound to no App' },
    ...(await tryWhichRunCounts(scratch, pull)),
  ];
}

/** Requires the check by name alone. @returns The App that GitHub bound it to, 0 for none; null if it can't. */
async function requireCheck({ person, at, undo }: Scratch, branch: string): Promise<number | null> {
  let isProtected = true;
  undo.add(
    `the protection of ${branch}`,
    async () => isProtected && (await person.rest.repos.deleteBranchProtection({ ...at, branch })),
  );
  const request = person.rest.repos.updateBranchProtection({
    ...{ ...at, branch, enforce_admins: true, required_pull_request_reviews: null, restrictions: null },
    required_status_checks: { strict: false, contexts: [TRIED_CHECK] },
  });
  const answer = await request.catch((error: unknown) => {
    if (statusOf(error) === 403) return null;
    throw error;
  });
  isProtected = answer !== null;
  if (!answer) return null;
  const found = answer.data.required_status_checks?.checks.find(({ context }) => context === TRIED_CHECK);
  return found?.app_id ?? 0;
}

async function tryWhichRunCounts(scratch: Scratch, pull: ScratchPull): Promise<Seen[]> {
  const seen = (id: 'newest-run-counts' | 'pending-takes-back', isMerged: boolean): Seen => ({
    id,
    seen: isMerged ? 'the merge is done' : 'the merge is refused',
  });
  const [older, newer] = [
    await createRun(scratch, pull.head, PENDING),
    await createRun(scratch, pull.head, PENDING),
  ];
  await updateRun(scratch, newer, completed('failure'));
  await updateRun(scratch, older, completed('success'));
  const byOlder = seen(
    'newest-run-counts',
    await isMergedBy(scratch, pull, { id: older, status: 'completed' }),
  );
  if ('seen' in byOlder && byOlder.seen === 'the merge is done')
    return [byOlder, { id: 'pending-takes-back', notTried: 'The pull request was merged before it.' }];
  await createRun(scratch, pull.head, completed('success'));
  const pending = await createRun(scratch, pull.head, PENDING);
  const byPending = seen(
    'pending-takes-back',
    await isMergedBy(scratch, pull, { id: pending, status: 'in_progress' }),
  );
  if ('seen' in byPending && byPending.seen === 'the merge is done') return [byOlder, byPending];
  // A merge that is refused shows something only if nothing else refuses it.
  await updateRun(scratch, pending, completed('success'));
  if (await isMergedWithin(scratch, pull, PATIENCE_MS)) return [byOlder, byPending];
  const notTried = 'Another rule refuses merges into new branches of this repository.';
  return [byOlder, byPending].map(({ id }) => ({ id, notTried }));
}

/** Tries a merge for a moment, once GitHub shows the run in this state and knows whether the branches fit. */
async function isMergedBy(
  scratch: Scratch,
  pull: ScratchPull,
  { id: run, status }: { id: number; status: string },
): Promise<boolean> {
  const { person, installation, at } = scratch;
  await poll(scratch, PATIENCE_MS, async () => {
    const all = { ref: pull.head, check_name: TRIED_CHECK, filter: 'all' as const };
    const { data } = await installation.rest.checks.listForRef({ ...at, ...all });
    return data.check_runs.find((one) => one.id === run && one.status === status);
  });
  await poll(scratch, PATIENCE_MS, async () => {
    const { data } = await person.rest.pulls.get({ ...at, pull_number: pull.number });
    return data.mergeable ?? undefined;
  });
  return isMergedWithin(scratch, pull, HOLD_MS);
}

const isMergedWithin = async (scratch: Scratch, pull: ScratchPull, ms: number) =>
  (await poll(scratch, ms, async () => (await merge(scratch, pull)) || undefined)) ?? false;

/** @throws an Error if GitHub refuses for another reason than a rule. */
async function merge({ person, at, signal }: Scratch, { number, head }: ScratchPull): Promise<boolean> {
  signal.throwIfAborted();
  try {
    await person.rest.pulls.merge({ ...at, pull_number: number, sha: head, request: { signal } });
    return true;
  } catch (error) {
    if (statusOf(error) === 405) return false;
    throw new Error(reasonOf(error), { cause: error });
  }
}
