import { type GitHubInstallation, toInstallation } from '../accounts/github-installation.ts';
import type { UserTokens } from '../accounts/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

/** What GitHub says about the tokens that people bring. */
export function createUserTokens(app: GitHubApp, serverUrl: string): UserTokens {
  return {
    async check(token) {
      const asked = app.asClient().request('POST /applications/{client_id}/token', {
        client_id: app.clientId,
        access_token: token,
      });
      // 404: not a token of this App. 422: no token at all.
      const found = await answer(asked, [404, 422], null);
      const user = found?.data.user;
      return user ? { id: Number(user.id), login: user.login, avatarUrl: user.avatar_url } : null;
    },
    async installations(token) {
      const octokit = app.asUser(token);
      const all = await answer(
        octokit.paginate(octokit.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
        [401, 403, 404],
        [],
      );
      return all
        .map((raw) => toInstallation(raw as GitHubInstallation, serverUrl))
        .filter((installation) => installation !== null);
    },
    async memberships(token) {
      const octokit = app.asUser(token);
      const all = await answer(
        octokit.paginate(octokit.rest.orgs.listMembershipsForAuthenticatedUser, {
          state: 'active',
          per_page: 100,
        }),
        [401, 403, 404],
        [],
      );
      return all.map(({ organization, role }) => ({
        orgId: organization.id,
        role: role === 'admin' ? ('admin' as const) : ('member' as const),
      }));
    },
  };
}
