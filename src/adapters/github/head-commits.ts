import type { HeadCommits } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub } from './from-github.ts';

/** GitHub refuses the token, or doesn't show the pull request to its holder. */
const REFUSED = { 401: null, 403: null, 404: null } as const;
const PER_PAGE = 100;

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
          octokit.rest.pulls.listCommits({ owner, repo, pull_number: pr, per_page: PER_PAGE, page }),
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

/** GitHub leaves the `Link` header out if there is one page. */
const lastPageIn = (link = '') => Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(link)?.[1] ?? 1);
