import type { RuleSuites } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { cut } from './protection-payload.ts';

/** GitHub shows those of a day, newest first. */
const NEWEST = 30;

export function createRuleSuites(app: GitHubApp): RuleSuites {
  return {
    async bypassed({ installation, owner, name: repo }, { branch, commit }) {
      const octokit = await app.asInstallation(installation);
      const { repos } = octokit.rest;
      const wanted = {
        owner,
        repo,
        ref: `refs/heads/${branch}`,
        rule_suite_result: 'bypass',
        per_page: NEWEST,
      } as const;
      const suites = await fromGitHub(repos.getRepoRuleSuites(wanted), NOT_READABLE);
      const suite = suites?.data.find(({ after_sha }) => after_sha === commit);
      if (suite?.id === undefined) return null;
      const request = repos.getRepoRuleSuite({ owner, repo, rule_suite_id: suite.id });
      const found = await fromGitHub(request, NOT_READABLE);
      const failed = (found?.data.rule_evaluations ?? []).filter(({ result }) => result === 'fail');
      const names = failed.map(({ rule_source: source }) =>
        cut(source?.name ?? `branch protection of ${branch}`),
      );
      return names.length > 0 ? [...new Set(names)] : null;
    },
  };
}
