import type { RepositoryAccess } from '../../approvals/ports.ts';
import type { OrganizationRef, Role } from '../../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';

/**
 * Roles in a personal account: its owner is the admin, and people who can write
 * to one of its repositories are members.
 */
export function createPersonalAccountRoles(app: GitHubApp, access: RepositoryAccess) {
  /** The repository in which we last found each collaborator. It's read first, which usually saves reading the others. */
  const foundIn = new Map<string, string>();

  return async (org: OrganizationRef, person: { githubId: number; login: string }): Promise<Role | null> => {
    if (org.orgId === person.githubId) return 'admin';
    const key = `${org.installationId}:${person.githubId}`;
    const repositories = await listRepositories(app, org.installationId);
    const likely = foundIn.get(key);
    const likelyFirst = repositories.toSorted(
      (one, other) => Number(other.name === likely) - Number(one.name === likely),
    );
    for (const { owner, name } of likelyFirst) {
      const repo = { installation: org.installationId, owner: owner.login, name };
      // Anyone can read a public repository, so only `write` makes a member.
      if ((await access.level(repo, person)) === 'write') {
        foundIn.set(key, name);
        return 'member';
      }
    }
    foundIn.delete(key);
    return null;
  };
}

async function listRepositories(app: GitHubApp, installation: number) {
  const octokit = await app.asInstallation(installation);
  const request = octokit.paginate(octokit.rest.apps.listReposAccessibleToInstallation, { per_page: 100 });
  return (await fromGitHub(request, NOT_VISIBLE)) ?? [];
}
