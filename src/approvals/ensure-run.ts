import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { CheckRunContent, CheckRuns, RepositoryRef, RunRecord, Runs } from './ports.ts';

export type RunDeps = { checkRuns: CheckRuns; runs: Runs; clock: Clock };

export type RunWish = {
  at: { repo: RepositoryRef; repoId: number; head: string };
  content: CheckRunContent;
  /** Equal for equal contents. */
  state: string;
  /** Write also where the content is what was written last. */
  force: boolean;
};

/** Whoever claimed a run has this long to make it; then another looks whether it is there. */
const CLAIM_MS = 30_000;
const LOOK_EVERY_MS = 50;
const LOOK_FOR_MS = 5_000;
const FAILED = 'failed';

/**
 * Gives a head its one run with this content. The right to make it is taken by
 * creating a record that can exist once, so two processes never make two.
 *
 * @throws AppError `githubUnavailable` where the run cannot be made or written now.
 */
export async function ensureRun(deps: RunDeps, wish: RunWish): Promise<'made' | 'written' | 'unchanged'> {
  const { repoId, head, repo } = wish.at;
  const known = await knownRun(deps, wish.at);
  if (known && known.checkRunId !== 0) {
    if (!wish.force && known.state === stateOf(wish)) return 'unchanged';
    const isFinal = known.state.startsWith('completed');
    if (canTake(isFinal, wish) && (await deps.checkRuns.update(repo, known.checkRunId, wish.content))) {
      await deps.runs.save(known, known.checkRunId, stateOf(wish));
      return 'written';
    }
  }
  const claim = await deps.runs.claim(repoId, head, (known?.attempt ?? 0) + 1);
  if (!claim) {
    // Another made it meanwhile, with what it knew: write what we know over it.
    return ensureRun(deps, { ...wish, force: true });
  }
  return makeRun(deps, wish, claim);
}

/** What we know of a run: whether it is completed, and a mark of what it says. */
const stateOf = ({ content, state }: RunWish) => `${content.status}:${state}`;

/**
 * A completed run cannot be relied on to wait again: GitHub may keep it
 * completed. Its head gets a new run, and the newest of a name is the one that counts.
 */
const canTake = (isCompleted: boolean, { content }: RunWish) =>
  !isCompleted || content.status === 'completed';

async function makeRun(deps: RunDeps, wish: RunWish, claim: RunRecord): Promise<'made' | 'written'> {
  const { repo, head } = wish.at;
  try {
    // An earlier attempt may have reached GitHub though its answer never came back.
    const found = claim.attempt > 1 ? await deps.checkRuns.find(repo, head) : null;
    if (
      found !== null &&
      canTake(found.isCompleted, wish) &&
      (await deps.checkRuns.update(repo, found.id, wish.content))
    ) {
      await deps.runs.save(claim, found.id, stateOf(wish));
      return 'written';
    }
    await deps.runs.save(claim, await deps.checkRuns.create(repo, head, wish.content), stateOf(wish));
    return 'made';
  } catch (error) {
    await deps.runs.save(claim, 0, FAILED);
    throw error;
  }
}

/** The head's newest run; waits for one that another is making now. Without an id it was given up. */
async function knownRun(deps: RunDeps, at: RunWish['at']): Promise<RunRecord | null> {
  const deadline = Date.now() + LOOK_FOR_MS;
  for (;;) {
    const run = await deps.runs.latest(at.repoId, at.head);
    if (run?.checkRunId !== 0 || run.state === FAILED) return run;
    if (deps.clock.now().getTime() - run.since.getTime() > CLAIM_MS) return run;
    if (Date.now() > deadline)
      throw new AppError('githubUnavailable', { cause: new Error('the run is being made') });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
