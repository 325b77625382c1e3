import type { Members } from '../accounts/ports.ts';
import type { RepositoryAccess } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

/** Who belongs to an account and who may read a repository, as GitHub says at this moment. */
export function createMembers(app: GitHubApp): Members & RepositoryAccess {
  const level: RepositoryAccess['level'] = async ({ installation, owner, name }, person) => {
    const asked = app
      .asInstallation(installation)
      .then((octokit) =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo: name, username: person.login }),
      );
    const found = await answer(asked, [403, 404], null);
    // A login can pass to another person, so the id decides whose permission this is.
    if (found === null || found.data.user?.id !== person.githubId || found.data.permission === 'none')
      return 'none';
    // GitHub answers the older names here: triage counts as read, maintain as write.
    return found.data.permission === 'read' ? 'read' : 'write';
  };

  return {
    level,
    async role(org, person) {
      if (org.accountType === 'User') return personalRole(org, person);
      const asked = app
        .asInstallation(org.installationId)
        .then((octokit) => octokit.rest.orgs.getMembershipForUser({ org: org.name, username: person.login }));
      const found = await answer(asked, [403, 404], null);
      if (found?.data.state !== 'active') return null;
      if (found.data.user?.id !== person.githubId || found.data.organization.id !== org.orgId) return null;
      return found.data.role === 'admin' ? 'admin' : 'member';
    },
  };

  async function personalRole(org: Parameters<Members['role']>[0], person: Parameters<Members['role']>[1]) {
    if (org.orgId === person.githubId) return 'admin' as const;
    const octokit = await app.asInstallation(org.installationId);
    const repositories = await answer(
      octokit.paginate(octokit.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
      [403, 404],
      [],
    );
    for (const { owner, name } of repositories) {
      const repo = { installation: org.installationId, owner: owner.login, name };
      // A collaborator of a personal repository may always write; anyone may read a public one.
      if ((await level(repo, person)) === 'write') return 'member' as const;
    }
    return null;
  }
}
