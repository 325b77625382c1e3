import type { RepositoryAccess } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';

export function createRepositoryAccess(app: GitHubApp): RepositoryAccess {
  return {
    async level({ installation, owner, name }, person) {
      const request = app
        .asInstallation(installation)
        .then((octokit) =>
          octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo: name, username: person.login }),
        );
      const found = await fromGitHub(request, NOT_VISIBLE);
      // A login can pass to another person, so the id decides.
      if (found?.data.user?.id !== person.githubId || found.data.permission === 'none') return 'none';
      // GitHub returns its older names here: triage as read, maintain as write.
      return found.data.permission === 'read' ? 'read' : 'write';
    },
  };
}
