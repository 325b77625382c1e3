import { type GitHubInstallation, toInstallation } from '../accounts/github-installation.ts';
import type { Installations } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';
import { createPages, ifChanged, unchanged } from './pages.ts';

export function createInstallations(app: GitHubApp, serverUrl: string): Installations {
  const list = createPages();
  return {
    async get(id) {
      const octokit = await app.asApp();
      const found = await answer(octokit.rest.apps.getInstallation({ installation_id: id }), [404], null);
      return found && toInstallation(found.data as GitHubInstallation, serverUrl);
    },
    async requested() {
      const octokit = await app.asApp();
      const found = await answer(octokit.rest.apps.getAuthenticated(), [], null);
      return { ...found?.data?.permissions } as Record<string, string>;
    },
    async list() {
      const octokit = await app.asApp();
      const all = await answer(
        octokit.paginate(octokit.rest.apps.listInstallations, { per_page: 100 }),
        [],
        [],
      );
      return all
        .map((raw) => toInstallation(raw as GitHubInstallation, serverUrl))
        .filter((installation) => installation !== null);
    },
    async repositories(installation) {
      const octokit = await app.asInstallation(installation);
      const asked = list(
        String(installation),
        (page, etag) =>
          octokit.rest.apps
            .listReposAccessibleToInstallation({ per_page: 100, page, ...ifChanged(etag) })
            .then(({ data, headers }) => ({ data: data.repositories, headers }))
            .catch(unchanged),
        ({ id, owner, name, archived, default_branch }) => ({
          id,
          owner: owner.login,
          name,
          archived,
          defaultBranch: default_branch,
        }),
      );
      const all = await answer(asked, [404], []);
      return all
        .filter(({ archived }) => !archived)
        .map(({ id, owner, name, defaultBranch }) => ({ id, owner, name, defaultBranch }));
    },
  };
}
