import type { Branches } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub } from './from-github.ts';

export function createBranches(app: GitHubApp): Branches {
  return {
    async tip({ installation, owner, name }, branch, candidate) {
      const octokit = await app.asInstallation(installation);
      const at = { owner, repo: name };
      const newestSuite = async () => {
        const request = octokit.rest.checks.listSuitesForRef({ ...at, ref: `heads/${branch}`, per_page: 1 });
        const found = await fromGitHub(request, { 409: null });
        return found?.data.check_suites[0]?.head_sha ?? null;
      };
      const shown = await newestSuite();
      if (shown !== null || candidate === undefined) return shown;
      // A commit has no suite if it was pushed before the App was installed, asked for none, or nobody wants them.
      const made = await fromGitHub(octokit.rest.checks.createSuite({ ...at, head_sha: candidate }), {
        422: null,
      });
      return made && newestSuite();
    },
  };
}
