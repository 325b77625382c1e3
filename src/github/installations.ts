import { type GitHubInstallation, toInstallation } from '../accounts/github-installation.ts';
import type { Installations } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

export function createInstallations(app: GitHubApp, serverUrl: string): Installations {
  return {
    async get(id) {
      const octokit = await app.asApp();
      const found = await answer(octokit.rest.apps.getInstallation({ installation_id: id }), [404], null);
      return found && toInstallation(found.data as GitHubInstallation, serverUrl);
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
      const all = await answer(
        octokit.paginate(octokit.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
        [404],
        [],
      );
      return all
        .filter(({ archived }) => !archived)
        .map(({ id, owner, name }) => ({ id, owner: owner.login, name }));
    },
  };
}
