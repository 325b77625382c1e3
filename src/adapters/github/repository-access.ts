import type { RepositoryAccess } from '../../approvals/ports.ts';
import type { Permission } from '../../contract/accounts.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import type { GitHubApp } from './app.ts';
import { createIdLists, read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';

/** The person whom GitHub answered about, and their permission. */
type Granted = { githubId: number | undefined; permission: Permission | 'none' };

export function createRepositoryAccess(app: GitHubApp, clock: Clock = systemClock): RepositoryAccess {
  const outside = createIdLists(clock);

  return {
    async permission({ installation, owner, name }, person) {
      const octokit = await app.asInstallation(installation);
      const at = { owner, repo: name, username: person.login };
      const request = read(octokit.rest.repos.getCollaboratorPermissionLevel, at, toGranted);
      const found = await fromGitHub(request, NOT_VISIBLE);
      // A login can pass to another person, so the id decides.
      return found?.githubId === person.githubId ? found.permission : 'none';
    },

    async isCollaborator({ installation, owner, name }, person) {
      const octokit = await app.asInstallation(installation);
      // The people with access who aren't members, which neither the permission nor the membership tells alone.
      const wanted = { owner, repo: name, affiliation: 'outside' } as const;
      const ids = await outside(`${installation}/${owner}/${name}`, () =>
        readList(octokit.rest.repos.listCollaborators, wanted, (all) => all.map(({ id }) => id)),
      );
      return ids?.has(person.githubId) ?? false;
    },
  };
}

type Answer = {
  permission: string;
  role_name: string;
  user: { id: number; permissions?: { triage?: boolean; maintain?: boolean } } | null;
};

/**
 * `permission` has GitHub's older levels: triage is read, maintain is write. A role that an organization made has its
 * own name, and only the booleans tell which role it extends. They refine the level and never raise it.
 */
function toGranted({ permission, role_name, user }: Answer): Granted {
  const has = (role: 'triage' | 'maintain') => role_name === role || user?.permissions?.[role] === true;
  return { githubId: user?.id, permission: refined(permission, has) };
}

function refined(level: string, has: (role: 'triage' | 'maintain') => boolean): Permission | 'none' {
  if (level === 'admin') return 'admin';
  if (level === 'write') return has('maintain') ? 'maintain' : 'write';
  if (level === 'read') return has('triage') ? 'triage' : 'read';
  return 'none';
}
