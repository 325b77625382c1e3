import { type GitHubPullRequest, toPullRequest } from '../approvals/github-pull-request.ts';
import type { PullRequests } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

export function createPullRequests(app: GitHubApp): PullRequests {
  return {
    async get({ installation, owner, name }, number) {
      const asked = app
        .asInstallation(installation)
        .then((octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
      const found = await answer(asked, [403, 404], null);
      return found && toPullRequest(found.data as GitHubPullRequest);
    },
    async listOpen({ installation, owner, name }) {
      const asked = app
        .asInstallation(installation)
        .then((octokit) =>
          octokit.paginate(octokit.rest.pulls.list, { owner, repo: name, state: 'open', per_page: 100 }),
        );
      const all = await answer(asked, [403, 404], null);
      return all && (all as GitHubPullRequest[]).map(toPullRequest);
    },
  };
}
