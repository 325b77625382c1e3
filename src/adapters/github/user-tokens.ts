import type { Permission } from '../../contract/accounts.ts';
import type { UserRepositories } from '../../inbox/ports.ts';
import type { UserInstallations } from '../../organizations/ports.ts';
import type { UserTokens } from '../../people/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, REFUSED } from './from-github.ts';
import { toInstallations } from './installation-payload.ts';
import { readAll } from './pages.ts';

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
      const list = octokit.rest.apps.listInstallationsForAuthenticatedUser;
      const request = readAll(list, {}, ({ installations }) => installations);
      return toInstallations((await fromGitHub(request, REFUSED)) ?? [], serverUrl);
    },

    async repositories(token, installation) {
      const octokit = app.asUser(token);
      // https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
      const list = octokit.rest.apps.listInstallationReposForAuthenticatedUser;
      const wanted = { installation_id: installation };
      const request = readAll(list, wanted, ({ repositories }) => repositories, MOST_PAGES);
      const found = new Map<number, Permission>();
      for (const { id, permissions } of (await fromGitHub(request, REFUSED)) ?? []) {
        const permission = highestOf(permissions);
        if (permission) found.set(id, permission);
      }
      return found;
    },

    async memberships(token) {
      const octokit = app.asUser(token);
      const list = octokit.rest.orgs.listMembershipsForAuthenticatedUser;
      const all =
        (await fromGitHub(
          readAll(list, { state: 'active' }, (found) => found),
          REFUSED,
        )) ?? [];
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
