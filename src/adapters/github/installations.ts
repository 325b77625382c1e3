import type { GitHubRepository, Installations } from '../../organizations/ports.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { enterpriseVersionIn, isOlderThanChecked } from './app-registration.ts';
import { read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { type GitHubInstallation, toInstallation, toInstallations } from './installation-payload.ts';
import { readAll } from './pages.ts';

export function createInstallations(app: GitHubApp, serverUrl: string): Installations {
  return {
    async get(id) {
      const octokit = await app.asApp();
      const request = octokit.rest.apps.getInstallation({ installation_id: id });
      const found = await fromGitHub(request, { 404: null });
      return found && toInstallation(found.data as GitHubInstallation, serverUrl);
    },

    async registration() {
      const octokit = await app.asApp();
      const { data, headers } = await fromGitHub(octokit.rest.apps.getAuthenticated());
      const version = enterpriseVersionIn(headers);
      return {
        permissions: { ...data?.permissions } as Record<string, string>,
        enterpriseServer: version === null ? null : { version, isUnchecked: isOlderThanChecked(version) },
      };
    },

    async list() {
      const octokit = await app.asApp();
      const request = readAll(octokit.rest.apps.listInstallations, {}, (all) => all);
      return toInstallations(await fromGitHub(request), serverUrl);
    },

    async repositories(installation) {
      const octokit = await app.asInstallation(installation);
      const all = await fromGitHub(listRepositories(octokit), { 404: null });
      const active = all?.filter(({ archived }) => !archived);
      return (
        active?.map(({ id, owner, name, defaultBranch }) => ({ id, owner, name, defaultBranch })) ?? null
      );
    },
  };
}

/** Requests the repositories that an installation has access to, archived ones too. */
export const listRepositories = (octokit: Octokit): Promise<(GitHubRepository & { archived: boolean })[]> =>
  readList(
    octokit.rest.apps.listReposAccessibleToInstallation,
    {},
    ({ repositories }) =>
      repositories.map(({ id, owner, name, archived, default_branch }) => ({
        id,
        owner: owner.login,
        name,
        archived,
        defaultBranch: default_branch,
      })),
    ({ id }) => id,
  );

/** Reads a repository's default branch, and whether it's private or internal; null if GitHub doesn't show it. */
export const readRepository = (octokit: Octokit, at: { owner: string; repo: string }) =>
  fromGitHub(
    read(octokit.rest.repos.get, at, ({ default_branch, private: isPrivate }) => ({
      defaultBranch: default_branch,
      isPrivate,
    })),
    NOT_READABLE,
  );
