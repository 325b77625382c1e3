import type { Quota } from '../accounts/ports.ts';
import { ensureRun, knownRun, type RunDeps } from './ensure-run.ts';
import type { Places } from './links.ts';
import type { Branches, GitHubRepository, PullRequests } from './ports.ts';

export type IntroduceDeps = RunDeps & {
  branches: Branches;
  pulls: PullRequests;
  quota: Quota;
  places: Places;
};

/** GitHub offers checks of the last week where a rule's required checks are chosen. */
const ONCE_IN = { most: 1, ms: 6 * 24 * 60 * 60 * 1000 };

/**
 * Puts a completed run on the tip of the default branch of a repository without
 * open pull requests, so that the check can be chosen as required before the
 * first one. It says nothing about an approval.
 *
 * @param tip The tip, where the caller knows it.
 */
export async function introduce(
  deps: IntroduceDeps,
  repository: GitHubRepository & { installation: number },
  tip?: string,
): Promise<void> {
  const { id, installation, owner, name, defaultBranch } = repository;
  const repo = { installation, owner, name };
  const open = await deps.pulls.listOpen(repo);
  // Where there is one, the check has run already, and can be chosen.
  if (!open || open.length > 0) return;
  const head = tip ?? (await deps.branches.tip(repo, defaultBranch));
  if (!head) return;
  const at = { repo, repoId: id, head };
  if (await knownRun(deps, at)) return;
  const place = await deps.quota.take(`introduced:${id}`, ONCE_IN, deps.clock.now());
  if (place instanceof Date) return;
  const content = {
    status: 'completed' as const,
    // None that GitHub takes for passed: nobody has approved this commit, and it can become a head.
    conclusion: 'cancelled' as const,
    detailsUrl: deps.places.publicUrl,
    title: 'OTP Guard is here',
    summary:
      'Pull requests get this check from now on. Require it in a ruleset or in branch protection, with this App as its source.',
  };
  try {
    await ensureRun(deps, { at, run: null, content, state: 'introduced' });
  } catch (error) {
    await place.giveBack();
    throw error;
  }
}
