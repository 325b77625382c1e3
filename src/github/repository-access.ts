import type { RepositoryAccess } from '../approvals/ports.ts';
import type { Permission } from '../contract/policy.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';

export function createRepositoryAccess(app: GitHubApp): RepositoryAccess {
  async function permission(
    { installation, owner, name }: RepositoryRef,
    person: { githubId: number; login: string },
  ) {
    const request = app
      .asInstallation(installation)
      .then((octokit) =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo: name, username: person.login }),
      );
    const found = await fromGitHub(request, NOT_VISIBLE);
    // A login can pass to another person, so the id decides.
    if (found?.data.user?.id !== person.githubId) return 'none';
    // GitHub returns its older names here: triage as read, maintain as write.
    return found.data.permission as Permission | 'none';
  }
  return {
    permission,
    async level(repo, person) {
      const found = await permission(repo, person);
      return found === 'none' || found === 'read' ? found : 'write';
    },
    isCollaborator: async () => false,
  };
}
