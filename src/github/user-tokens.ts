import type { UserInstallations } from '../organizations/ports.ts';
import type { UserTokens } from '../people/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub } from './from-github.ts';
import { toInstallations } from './installation-payload.ts';

/** GitHub refuses the token, or doesn't show the list to its holder. */
const REFUSED = { 401: null, 403: null, 404: null } as const;

/** What GitHub says about a person's token, and shows to its holder. */
export function createUserTokens(app: GitHubApp, serverUrl: string): UserTokens & UserInstallations {
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
        per_page: 100,
      });
      return toInstallations((await fromGitHub(request, REFUSED)) ?? [], serverUrl);
    },

    async memberships(token) {
      const octokit = app.asUser(token);
      const request = octokit.paginate(octokit.rest.orgs.listMembershipsForAuthenticatedUser, {
        state: 'active',
        per_page: 100,
      });
      const all = (await fromGitHub(request, REFUSED)) ?? [];
      return all.map(({ organization, role }) => ({
        orgId: organization.id,
        role: role === 'admin' ? ('admin' as const) : ('member' as const),
      }));
    },
  };
}
