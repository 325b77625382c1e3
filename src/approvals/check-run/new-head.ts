import type { KnownRepository } from '../../organizations/ports.ts';
import type { Queues } from '../../shared/queues.ts';
import type { HeadDeps } from '../deps.ts';
import type { PullRequest } from '../ports.ts';
import { createFirstRun, decideAlike, replacePull, syncCheckRun } from './head.ts';

export type NewHeadDeps = HeadDeps & {
  /** The work on heads that webhooks of each installation are about. */
  headTurns: Pick<Queues<string>, 'add' | 'hasRoom'>;
};

/**
 * The turns of an installation's webhooks: first each is looked at, which is quick. A head that has a run may show a
 * success, which must not stay while new heads wait for GitHub's limits. In a burst, all new heads get their first run
 * before any of them is compared with GitHub's list.
 */
const TURNS = {
  look: { queue: 'look', priority: 0 },
  known: { queue: 'known', priority: 0 },
  firstRun: { queue: 'new', priority: 1 },
  comparison: { queue: 'new', priority: 0 },
};

/** A pull request as a webhook tells it. */
export type ToldPull = {
  repo: KnownRepository;
  pull: PullRequest;
  /** True if its head may have no run yet. */
  isNewHead: boolean;
  /** Stores who pushed, which the sync may ask: GitHub's API doesn't tell. */
  noteHead(): Promise<void>;
};

/** The pull request, and the repository's open ones, by the newest reading of each. */
export type ReadPull = { pull: PullRequest; open: PullRequest[] };

/**
 * Syncs the check run of a pull request's head after a webhook. A head without a run gets one before anything else is
 * read. While other new heads of the installation wait, its records say first whether it has one; else the claim does.
 *
 * @returns Null if the installation can't see the repository now.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function syncToldPull(deps: NewHeadDeps, toldPull: ToldPull): Promise<ReadPull | null> {
  const { repo, pull, isNewHead, noteHead } = toldPull;
  const headRef = { repo, repoId: repo.id, head: pull.head };
  const keyOf = (turn: keyof typeof TURNS) => `${repo.installation} ${TURNS[turn].queue}`;
  const inTurn = <T>(turn: keyof typeof TURNS, work: () => Promise<T>) =>
    deps.headTurns.add(keyOf(turn), work, TURNS[turn].priority);
  const looksFirst = !isNewHead || !deps.headTurns.hasRoom(keyOf('firstRun'));
  if (looksFirst) {
    const look = () =>
      Promise.all([isNewHead ? deps.checkRunRecords.latest(repo.id, headRef.head) : null, noteHead()]);
    const [run] = await inTurn('look', look);
    if (!isNewHead || run) return inTurn('known', () => syncListed(deps, toldPull, false));
  }
  const noted = looksFirst ? Promise.resolve() : noteHead();
  const created = await inTurn('firstRun', () => createFirstRun(deps, headRef, { pull, noted })).catch(
    (error: unknown) => ({ error }),
  );
  await noted;
  return inTurn(created === true ? 'comparison' : 'known', () => syncListed(deps, toldPull, created));
}

/** Throws what kept the first run from being created, once GitHub shows that the repository is still there. */
async function syncListed(
  deps: HeadDeps,
  { repo, pull }: ToldPull,
  created: boolean | { error: unknown },
): Promise<ReadPull | null> {
  const open = await deps.pulls.listOpen(repo);
  if (!open) return null;
  if (typeof created === 'object') throw created.error;
  const newest = await newestOf(deps, repo, { open, pull });
  const headRef = { repo, repoId: repo.id, head: newest.head };
  await syncCheckRun(deps, headRef, { pulls: replacePull(open, newest) });
  return { pull: newest, open };
}

/** GitHub's lists can lag behind its webhooks, and its webhooks can be late: if they differ, reads the pull request. */
async function newestOf(
  deps: HeadDeps,
  repo: KnownRepository,
  { open, pull }: { open: PullRequest[]; pull: PullRequest },
): Promise<PullRequest> {
  const listed = open.find(({ number }) => number === pull.number);
  if (!listed && !pull.open) return pull;
  if (listed && decideAlike(listed, pull) && haveSameReviewers(listed, pull)) return listed;
  return (await deps.pulls.get(repo, pull.number)) ?? pull;
}

function haveSameReviewers({ reviewers }: PullRequest, { reviewers: others }: PullRequest): boolean {
  if (!reviewers || !others) return true;
  const namesOf = ({ people, teams }: typeof reviewers) =>
    JSON.stringify([...people, ...teams].map(String).sort());
  return namesOf(reviewers) === namesOf(others);
}
