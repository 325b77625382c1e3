import type { HeadCommits } from '../../approvals/approve/ports.ts';
import type { CommitPulls, ListedPull, PullRequests } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE, NOT_VISIBLE, REFUSED } from './from-github.ts';
import { FULL_PAGE, lastPageIn } from './pages.ts';
import { type GitHubPullRequest, toPullRequest } from './pull-request-payload.ts';

export function createPullRequests(app: GitHubApp): PullRequests {
  /** The number of pull requests that each repository had the last time. */
  const counts = new Map<string, number>();
  return {
    async get({ installation, owner, name }, number) {
      const request = app
        .asInstallation(installation)
        .then((octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
      const found = await fromGitHub(request, NOT_VISIBLE);
      return found && toPullRequest(found.data as GitHubPullRequest);
    },

    async listOpen({ installation, owner, name }) {
      const octokit = await app.asInstallation(installation);
      const request = readList(
        octokit.rest.pulls.list,
        { owner, repo: name, state: 'open' },
        (all) => all.map((raw) => toPullRequest(raw as GitHubPullRequest)),
        ({ number }) => number,
        counts.get(`${owner}/${name}`),
      );
      const found = await fromGitHub(request, NOT_VISIBLE);
      counts.set(`${owner}/${name}`, found?.length ?? 0);
      return found;
    },

    async listRecentlyUpdated({ installation, owner, name }) {
      const octokit = await app.asInstallation(installation);
      const sorted = { state: 'open', sort: 'updated', direction: 'desc', per_page: FULL_PAGE } as const;
      const wanted = { owner, repo: name, ...sorted };
      return fromGitHub(
        read(octokit.rest.pulls.list, wanted, (all) => all.map(toListedPull)),
        NOT_VISIBLE,
      );
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

/** GitHub doesn't show it to us, or there is no such commit: 422 for a hash that it doesn't know. */
const NOT_KNOWN = { ...NOT_READABLE, 422: null } as const;

/** GitHub: "List pull requests associated with a commit". The permission to read pull requests covers it. */
export function createCommitPulls(app: GitHubApp): CommitPulls {
  return {
    async ofCommit({ installation, owner, name }, sha) {
      const request = app.asInstallation(installation).then((octokit) =>
        octokit.rest.repos.listPullRequestsAssociatedWithCommit({
          owner,
          repo: name,
          commit_sha: sha,
          per_page: FULL_PAGE,
        }),
      );
      const found = await fromGitHub(request, NOT_KNOWN);
      return found?.data.map((raw) => toPullRequest(raw as unknown as GitHubPullRequest)) ?? null;
    },
  };
}

/**
 * The head among a pull request's commits: on the first page, or on the last one, because GitHub lists the oldest
 * first. The list needs no permission to read code (docs.github.com, "List commits on a pull request").
 */
export function createHeadCommits(app: GitHubApp): HeadCommits {
  return {
    async read(accessToken, { owner, repo, pr, head }) {
      const octokit = app.asUser(accessToken);
      const list = (page: number) =>
        fromGitHub(
          octokit.rest.pulls.listCommits({ owner, repo, pull_number: pr, per_page: FULL_PAGE, page }),
          REFUSED,
        );
      const first = await list(1);
      if (!first) return null;
      const lastPage = lastPageIn(first.headers.link);
      const isHead = ({ sha }: { sha: string }) => sha === head;
      const last = lastPage > 1 && !first.data.some(isHead) ? await list(lastPage) : null;
      const found = [...first.data, ...(last?.data ?? [])].find(isHead);
      return { commit: found ? { message: found.commit.message, tree: found.commit.tree.sha } : null };
    },
  };
}
