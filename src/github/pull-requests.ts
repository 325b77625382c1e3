import { type GitHubPullRequest, toPullRequest } from '../approvals/github-pull-request.ts';
import type { PullRequests } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';
import { createPages, ifChanged, unchanged } from './pages.ts';

export function createPullRequests(app: GitHubApp): PullRequests {
  const list = createPages();
  return {
    async get({ installation, owner, name }, number) {
      const asked = app
        .asInstallation(installation)
        .then((octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
      const found = await answer(asked, [403, 404], null);
      return found && toPullRequest(found.data as GitHubPullRequest);
    },
    async listOpen({ installation, owner, name }) {
      const octokit = await answer(app.asInstallation(installation), [403, 404], null);
      const asked = octokit && {
        owner,
        repo: name,
        state: 'open' as const,
        per_page: 100,
      };
      if (!asked) return null;
      const all = list(
        `${installation}/${owner}/${name}`,
        (page, etag) => octokit.rest.pulls.list({ ...asked, page, ...ifChanged(etag) }).catch(unchanged),
        (raw) => toPullRequest(raw as GitHubPullRequest),
      );
      return answer(all, [403, 404], null);
    },
  };
}
