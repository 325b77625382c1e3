import type { Permission } from '../../contract/policy.ts';
import type { UserRepositories } from '../../inbox/ports.ts';
import type { UserInstallations } from '../../organizations/ports.ts';
import type { UserTokens } from '../../people/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, REFUSED } from './from-github.ts';
import { toInstallations } from './installation-payload.ts';

const PER_PAGE = 100;
/** The first 5,000 repositories of an installation count. */
const MOST_PAGES = 50;

/** GitHub's answers about a person's token, and the lists that it shows to the token's holder. */
export function createUserTokens(
  app: GitHubApp,
  serverUrl: string,
): UserTokens & UserInstallations & UserRepositories {
  return {
    async check(token) {
      const request = app.asClient().request('POST /applications/{client_id}/token', {
        client_id: app.clientId,
        access_token: token,
      });
      // 404: the token isn't one of this App. 422: it isn't a token at all.
      const found = await fromGitHub(request, { 404: null, 422: null });
      const user = found?.data.user;
      return user ? { id: Number(user.id), login: user.login, avatarUrl: user.avatar_url } : null;
    },

    async installations(token) {
      const octokit = app.asUser(token);
      const request = octokit.paginate(octokit.rest.apps.listInstallationsForAuthenticatedUser, {
        per_page: PER_PAGE,
      });
      return toInstallations((await fromGitHub(request, REFUSED)) ?? [], serverUrl);
    },

    async repositories(token, installation) {
      const octokit = app.asUser(token);
      // https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
      const list = octokit.rest.apps.listInstallationReposForAuthenticatedUser;
      const found = new Map<number, Permission>();
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const request = list({ installation_id: installation, per_page: PER_PAGE, page });
        const { repositories } = (await fromGitHub(request, REFUSED))?.data ?? { repositories: [] };
        for (const { id, permissions } of repositories) {
          const permission = highestOf(permissions);
          if (permission) found.set(id, permission);
        }
        if (repositories.length < PER_PAGE) break;
      }
      return found;
    },

    async memberships(token) {
      const octokit = app.asUser(token);
      const request = octokit.paginate(octokit.rest.orgs.listMembershipsForAuthenticatedUser, {
        state: 'active',
        per_page: PER_PAGE,
      });
      const all = (await fromGitHub(request, REFUSED)) ?? [];
      return all.map(({ organization, role }) => ({
        orgId: organization.id,
        role: role === 'admin' ? ('admin' as const) : ('member' as const),
      }));
    },
  };
}

/** GitHub's booleans, the strongest first. */
const LEVELS = [
  ['admin', 'admin'],
  ['maintain', 'maintain'],
  ['push', 'write'],
  ['triage', 'triage'],
  ['pull', 'read'],
] as const satisfies [string, Permission][];

const highestOf = (granted: Partial<Record<(typeof LEVELS)[number][0], boolean>> = {}) =>
  LEVELS.find(([name]) => granted[name])?.[1];
