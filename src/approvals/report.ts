import { AppError } from '../app-error.ts';
import { sha256Base64url } from '../sha256.ts';
import { checkRunContent } from './check-run-content.ts';
import { ensureRun, type RunDeps } from './ensure-run.ts';
import { evaluate, type Verdict } from './evaluate.ts';
import type { Places } from './links.ts';
import type {
  Approval,
  Approvals,
  CheckRunContent,
  PullRequest,
  PullRequests,
  RepositoryRef,
} from './ports.ts';
import { withPull } from './with-pull.ts';

export type ReportDeps = RunDeps & { pulls: PullRequests; approvals: Approvals; places: Places };

export type HeadRef = { repo: RepositoryRef; repoId: number; head: string };

const MOST_ROUNDS = 5;

/**
 * Makes GitHub show what is true of a head: one check run of ours, pending
 * until every open pull request with the head is approved. It may be called for
 * each event and as often as wanted, by several processes at once: it makes no
 * second run, and looks again after each write, so that of two writers the one
 * that knew less puts its own write right.
 *
 * @param pulls The open pull requests of the repository, where the caller has just read them.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function reportHead(deps: ReportDeps, at: HeadRef, pulls?: PullRequest[]): Promise<Verdict> {
  let written: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const [listed, approvals] = await Promise.all([
      (round === 0 && pulls) || deps.pulls.listOpen(at.repo),
      deps.approvals.ofHead(at.repoId, at.head),
    ]);
    const open = listed && (await withOwed(deps, at, listed, approvals));
    // Out of sight is not closed: what is owed stays owed until the repository can be seen again.
    if (!open) return { passed: false, standings: [] };
    const verdict = evaluate({ head: at.head, pulls: open, approvals });
    const content = checkRunContent(deps.places, at.repo, verdict);
    const state = fingerprint(content);
    if (verdict.standings.length === 0 || written === state) {
      await deps.approvals.reported(approvals);
      return verdict;
    }
    const run = await ensureRun(deps, { at, content, state, force: round > 0 });
    written = state;
    // Nobody else can have written to a run whose id nobody knew.
    if (run === 'made' || run === 'unchanged') {
      await deps.approvals.reported(approvals);
      return verdict;
    }
  }
  throw new AppError('githubUnavailable', { cause: new Error('the verdict changed with every look') });
}

/**
 * The list with each pull request in it whose approval GitHub has not heard of:
 * the list can lag, and what it leaves out for a moment must not count as closed.
 */
async function withOwed(
  deps: ReportDeps,
  { repo, head }: HeadRef,
  listed: PullRequest[],
  approvals: Approval[],
) {
  const isListed = (pr: number) => listed.some((pull) => pull.number === pr && pull.head === head);
  const owed = new Set(
    approvals.filter(({ reported, pr }) => !reported && !isListed(pr)).map(({ pr }) => pr),
  );
  const found = await Promise.all([...owed].map((pr) => deps.pulls.get(repo, pr)));
  return found.filter((pull) => pull !== null).reduce(withPull, listed);
}

/** Equal for two contents that look the same on GitHub. */
function fingerprint(content: CheckRunContent): string {
  return sha256Base64url(JSON.stringify(content));
}
