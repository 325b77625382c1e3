import type { Effects } from '../../audit/ports.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { HeadDeps } from '../deps.ts';
import { judgePull } from '../judge/judge.ts';
import { readGrounds } from '../judge/read-grounds.ts';
import type { PullRequest } from '../ports.ts';

/**
 * Logs a pull request that was merged without the approvals of its head for its
 * base branch that the policy asks for, and notifies the owners. Calling it again changes nothing.
 */
export async function logUnapprovedMerge(deps: HeadDeps, pull: PullRequest): Promise<void> {
  if (!pull.merged) return;
  const org = await deps.organizations.byOrgId(pull.repo.ownerId);
  if (!org) return;
  const approvals = await deps.approvals.forHead(pull.repo.id, pull.head);
  const { owner, name } = pull.repo;
  const repo = { installation: org.installationId, owner, name };
  const grounds = await readGrounds(deps, { repo, pulls: [pull], approvals });
  if (judgePull(pull, approvals, grounds).passed) return;
  const [owners, userId] = await Promise.all([
    deps.memberships.ownersToNotify(org.id),
    pull.mergedBy && deps.users.userIdOf(pull.mergedBy.id),
  ]);
  await deps.unapprovedMerges.add(
    { repoId: pull.repo.id, pr: pull.number },
    effectsOf(pull, org, { userId: userId ?? '', owners }),
  );
}

function effectsOf(
  { repo, number, head, mergedBy }: PullRequest,
  org: Organization,
  { userId, owners }: { userId: string; owners: string[] },
): Effects {
  const login = mergedBy?.login ?? '';
  return {
    activity: {
      activity: 'unapprovedMerge',
      userId,
      orgRecordId: org.id,
      data: { login, sha: head, pr: number, repo: repo.name, org: org.name },
      facts: { repoId: repo.id },
      personFacts: mergedBy ? { by: { id: mergedBy.id, login } } : {},
    },
    notices: owners.map((owner) => ({
      kind: 'unapprovedMerge',
      userId: owner,
      data: { org: org.name, by: login, label: `${repo.name}#${number}` },
    })),
  };
}
