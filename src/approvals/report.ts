import { AppError } from '../app-error.ts';
import { sha256Base64url } from '../sha256.ts';
import { checkRunContent } from './check-run-content.ts';
import { ensureRun, type HeadRef, knownRun, type RunDeps } from './ensure-run.ts';
import { evaluate, type Standing, type Verdict } from './evaluate.ts';
import type { Places } from './links.ts';
import type { Approval, Approvals, OpenPulls, PullRequest, PullRequests, RunRecord } from './ports.ts';
import { withPull } from './with-pull.ts';

export type ReportDeps = RunDeps & {
  pulls: PullRequests;
  approvals: Approvals;
  openPulls: OpenPulls;
  places: Places;
};

/**
 * The open pull requests of the repository, and the head's run where it was
 * read *before* them. Without it they are good enough to wait by, and not to
 * complete by: the run may be newer than they are.
 */
export type Seen = { pulls: PullRequest[]; run?: RunRecord | null };

/**
 * `renew`: GitHub does not show the known run any more, or that of this attempt.
 * `lookFirst`: it may have one that we do not know of.
 */
export type ReportMode = { renew?: boolean | number; lookFirst?: boolean };

const MOST_ROUNDS = 5;

/**
 * Makes GitHub show what is true of a head: one check run of ours, pending
 * until every open pull request with the head is approved. It may be called for
 * each event and as often as wanted, by several processes at once: it makes no
 * second run, and looks again after each write, so that of two writers the one
 * that knew less puts its own write right.
 *
 * @param seen What the caller has just read, to save asking again.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function reportHead(
  deps: ReportDeps,
  at: HeadRef,
  seen?: Seen,
  mode: ReportMode = {},
): Promise<Verdict & { written: boolean }> {
  let written: string | undefined;
  let hasWritten = false;
  const told = (seen?.pulls ?? [])
    .filter(({ head, open }) => open && head === at.head)
    .map(({ number }) => number);
  let toRenew: number | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // Before the verdict: only a run that was there before it may be completed by it.
    const first = round === 0 ? seen : undefined;
    const run = first?.run === undefined ? await knownRun(deps, at) : first.run;
    const [listed, approvals] = await Promise.all([
      first?.pulls ?? deps.pulls.listOpen(at.repo),
      deps.approvals.ofHead(at.repoId, at.head),
    ]);
    const open = listed && (await withKnown(deps, at, { listed, approvals, told }));
    // Out of sight is not closed: what is owed stays owed until the repository can be seen again.
    if (!open) return { passed: false, standings: [], written: false };
    const verdict = evaluate({ head: at.head, pulls: open, approvals });
    const content = checkRunContent(deps.places, at.repo, verdict);
    const state = `${content.status}:${fingerprint(verdict)}`;
    const isShown = verdict.standings.length === 0 || written === state;
    // The run that was there at the beginning, and not the one that another has made in its place since.
    if (mode.renew) toRenew ??= typeof mode.renew === 'number' ? mode.renew : (run?.attempt ?? 0);
    const renew = run?.attempt === toRenew;
    if (first && first.run === undefined && content.status === 'completed' && run?.state !== state) continue;
    const outcome = isShown
      ? 'unchanged'
      : await ensureRun(deps, { ...mode, renew, at, run, content, state });
    // Nobody else can have judged by a run that nobody knew.
    if (outcome === 'unchanged' || outcome === 'first') {
      await deps.approvals.reported(approvals);
      // GitHub has been told by now, and the next round writes it down.
      await noteOpen(deps, verdict.standings).catch(() => undefined);
      return { ...verdict, written: hasWritten || outcome === 'first' };
    }
    written = outcome === 'written' ? state : undefined;
    hasWritten ||= outcome === 'written' || outcome === 'opened';
  }
  throw new AppError('githubUnavailable', { cause: new Error('the verdict changed with every look') });
}

type Known = { listed: PullRequest[]; approvals: Approval[]; told: number[] };

/**
 * The list with each pull request in it that has, or had, this head by anyone's
 * word: whose approval GitHub has not heard of, that the caller was told of, that
 * was open with it before. The list can lag or shift while it is read, and what
 * it leaves out for a moment must not count as closed.
 */
async function withKnown(
  deps: ReportDeps,
  { repo, repoId, head }: HeadRef,
  { listed, approvals, told }: Known,
): Promise<PullRequest[]> {
  const isListed = (pr: number) => listed.some((pull) => pull.number === pr && pull.head === head);
  const owed = approvals.filter(({ reported }) => !reported).map(({ pr }) => pr);
  const before = await deps.openPulls.withHead(repoId, head);
  const missing = [...new Set([...owed, ...told, ...before])].filter((pr) => !isListed(pr));
  const found = await Promise.all(missing.map((pr) => deps.pulls.get(repo, pr)));
  return found.filter((pull) => pull !== null).reduce(withPull, listed);
}

async function noteOpen(deps: ReportDeps, standings: Standing[]): Promise<void> {
  const [first] = standings;
  if (!first) return;
  const pulls = standings.map(({ pull, approval }) => ({
    repoId: pull.repo.id,
    repoName: pull.repo.name,
    pr: pull.number,
    title: pull.title,
    author: pull.author?.login ?? '',
    head: pull.head,
    approved: approval !== null,
  }));
  await deps.openPulls.note(first.pull.repo.ownerId, pulls, deps.clock.now());
}

/** Equal for two verdicts over the same pull requests, base branches and approvals. */
function fingerprint({ standings }: Verdict): string {
  return sha256Base64url(
    JSON.stringify(standings.map(({ pull, approval }) => [pull.number, pull.base, approval?.id ?? null])),
  );
}
