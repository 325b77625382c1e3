import type { ListedPull, PullRequests } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';
import { createAnswerCache, createPageCache, ifChanged, unchanged } from './page-cache.ts';
import { type GitHubPullRequest, toPullRequest } from './pull-request-payload.ts';

export function createPullRequests(app: GitHubApp): PullRequests {
  const list = createPageCache();
  const recent = createAnswerCache<ListedPull[]>();
  return {
    async get({ installation, owner, name }, number) {
      const request = app
        .asInstallation(installation)
        .then((octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
      const found = await fromGitHub(request, NOT_VISIBLE);
      return found && toPullRequest(found.data as GitHubPullRequest);
    },

    async listOpen({ installation, owner, name }) {
      const octokit = await fromGitHub(app.asInstallation(installation), NOT_VISIBLE);
      if (!octokit) return null;
      const query = { owner, repo: name, state: 'open' as const, per_page: 100 };
      const request = list(
        `${installation}/${owner}/${name}`,
        (page, etag) => octokit.rest.pulls.list({ ...query, page, ...ifChanged(etag) }).catch(unchanged),
        (raw) => toPullRequest(raw as GitHubPullRequest),
      );
      return fromGitHub(request, NOT_VISIBLE);
    },

    async listRecentlyUpdated({ installation, owner, name }) {
      const octokit = await fromGitHub(app.asInstallation(installation), NOT_VISIBLE);
      if (!octokit) return null;
      const query = { owner, repo: name, state: 'open', sort: 'updated', direction: 'desc' } as const;
      const request = recent(`${installation}/${owner}/${name}`, (etag) =>
        octokit.rest.pulls
          .list({ ...query, per_page: 100, ...ifChanged(etag) })
          .then(({ data, headers }) => ({ data: data.map(toListedPull), etag: headers.etag ?? '' }))
          .catch(unchanged),
      );
      return fromGitHub(request, NOT_VISIBLE);
    },

    async findMerge({ installation, owner, name }, base) {
      const closed = { state: 'closed', sort: 'updated', direction: 'desc', per_page: 30 } as const;
      const request = app
        .asInstallation(installation)
        .then((octokit) => octokit.rest.pulls.list({ owner, repo: name, base, ...closed }));
      const found = await fromGitHub(request, NOT_VISIBLE);
      return found?.data.find(({ merged_at }) => merged_at !== null)?.merge_commit_sha ?? null;
    },
  };
}

const toListedPull = (raw: { updated_at: string }): ListedPull => ({
  ...toPullRequest(raw as unknown as GitHubPullRequest),
  updatedAt: new Date(raw.updated_at),
});
