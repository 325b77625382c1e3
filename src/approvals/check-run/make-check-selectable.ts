import type { GitHubRepository } from '../../organizations/ports.ts';
import type { Origins } from '../../shared/links.ts';
import type { HeadDeps } from '../deps.ts';
import type { CheckRunContent } from '../ports.ts';
import { readRun } from './run.ts';
import { writeCheckRun } from './write.ts';

/** A rule's page on GitHub offers the checks that ran within the last week. */
const ONCE_IN = { most: 1, ms: 6 * 24 * 60 * 60 * 1000 };

/**
 * Creates a completed run on a commit of the default branch of a repository that
 * has no open pull request: its tip, or a merge into it if GitHub doesn't show the tip,
 * so that the check can be required before the first one. The run says nothing
 * about an approval.
 *
 * @param commit A commit of the branch, if the caller knows one.
 */
export async function makeCheckSelectable(
  deps: HeadDeps,
  repository: GitHubRepository & { installation: number },
  commit?: string,
): Promise<void> {
  const { id, installation, owner, name, defaultBranch } = repository;
  const repo = { installation, owner, name };
  const open = await deps.pulls.listOpen(repo);
  // The check has already run on an open pull request, and can be selected.
  if (!open || open.length > 0) return;
  // GitHub shows no tip without a check suite. A run on another commit of the repository is as good.
  const head =
    commit ??
    (await deps.branches.tip(repo, defaultBranch)) ??
    (await deps.pulls.findMerge(repo, defaultBranch));
  if (!head) return;
  const headRef = { repo, repoId: id, head };
  if (await readRun(deps, headRef)) return;
  const slot = await deps.quota.take(`selectable:${id}`, ONCE_IN, deps.clock.now());
  if (slot instanceof Date) return;
  const content = selectableContent(deps.origins);
  try {
    await writeCheckRun(deps, {
      headRef,
      run: null,
      content,
      readFrom: deps.clock.now(),
      fingerprint: 'selectable',
      reason: 'webhook',
    });
  } catch (error) {
    await slot.release();
    throw error;
  }
}

/** The run on a default branch that makes the check selectable in a rule. It says nothing about an approval. */
function selectableContent(origins: Origins): CheckRunContent {
  return {
    status: 'completed',
    // GitHub must not count it as passed: nobody approved this commit, and it can become a pull request's head.
    conclusion: 'cancelled',
    detailsUrl: origins.publicUrl,
    title: 'OTP Guard is installed',
    summary:
      'Pull requests get this check from now on. Require it in a ruleset or in branch protection, with this App as its source.',
  };
}
