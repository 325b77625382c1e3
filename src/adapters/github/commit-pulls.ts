import type { CommitPulls } from '../../receipts/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { type GitHubPullRequest, toPullRequest } from './pull-request-payload.ts';

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
          per_page: 100,
        }),
      );
      const found = await fromGitHub(request, NOT_KNOWN);
      return found?.data.map((raw) => toPullRequest(raw as unknown as GitHubPullRequest)) ?? null;
    },
  };
}
