import { noticesTo } from '../../notices/notices-to.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { HeadDeps } from '../deps.ts';
import { judgeNow } from '../judge/read-grounds.ts';
import type { PullRequest } from '../ports.ts';

/**
 * Logs a pull request that was merged without the approvals of its head for its
 * base branch that the policy asks for, and notifies the owners. Calling it again changes nothing.
 */
export async function logUnapprovedMerge(deps: HeadDeps, pull: PullRequest): Promise<void> {
  if (!pull.merged) return;
  const org = await deps.organizations.byOrgId(pull.repo.ownerId);
  if (!org) return;
  const { number: pr, head, mergedBy } = pull;
  const { id, owner, name } = pull.repo;
  const repo = { installation: org.installationId, owner, name };
  if ((await judgeNow(deps, { repo, pull })).passed) return;
  const [owners, userId, rules] = await Promise.all([
    deps.memberships.ownersToNotify(org.id),
    mergedBy && deps.users.userIdOf(mergedBy.id),
    bypassedBy(deps, repo, pull),
  ]);
  const by = mergedBy?.login ?? '';
  await deps.findings.add(`unapproved-merge:${id}:${pr}`, {
    activity: {
      activity: 'unapprovedMerge',
      userId: userId ?? '',
      orgRecordId: org.id,
      data: { login: by, sha: head, pr, repo: name, org: org.name, ...(rules && { rules }) },
      facts: { repoId: id },
      personFacts: mergedBy ? { by: { id: mergedBy.id, login: by } } : {},
    },
    notices: noticesTo(owners, 'unapprovedMerge', {
      org: org.name,
      by,
      label: `${name}#${pr}`,
      ...(rules && { rules }),
    }),
  });
}

const MOST_RULES = 5;

/** The rules that the merge went around. The entry never waits for them: GitHub shows them only with a permission. */
async function bypassedBy(deps: HeadDeps, repo: RepositoryRef, pull: PullRequest): Promise<string[] | null> {
  const { mergeCommit: commit, base: branch } = pull;
  if (commit === null) return null;
  const rules = await deps.ruleSuites.bypassed(repo, { branch, commit }).catch(() => null);
  return rules?.slice(0, MOST_RULES) ?? null;
}
