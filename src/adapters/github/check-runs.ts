import type { CheckRuns, ShownContent, WritePriority } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { read } from './conditional-reads.ts';
import { fromGitHub, isUnknownCommit } from './from-github.ts';
import type { RequestOptions } from './octokit.ts';

/** The name that rulesets and branch protection require. */
export const CHECK_NAME = 'OTP Guard';

export function createCheckRuns(app: GitHubApp, appId: number): CheckRuns {
  return {
    async create({ installation, owner, name }, head, content, priority) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.checks.create({
        owner,
        repo: name,
        name: CHECK_NAME,
        head_sha: head,
        ...(toRequest(content) as { status: 'in_progress' }),
        // If only the answer was lost, sending the request again would create a second run.
        request: { retries: 0, ...at(priority) },
      });
      const created = await fromGitHub(request.catch(refusedText));
      return created === 'refused' ? created : created.data.id;
    },

    async update({ installation, owner, name }, id, content, priority, withinMs) {
      const until = withinMs === undefined ? undefined : performance.now() + withinMs;
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.checks.update({
        owner,
        repo: name,
        check_run_id: id,
        ...toRequest(content),
        request: at(priority, until),
      });
      const updated = await fromGitHub(request.catch(refusedText), { 404: null });
      // GitHub may keep a completed run completed and still answer 200.
      return updated === 'refused' ? updated : updated?.data.status === content.status;
    },

    async findNewest({ installation, owner, name }, head) {
      const octokit = await app.asInstallation(installation);
      const at = { owner, repo: name, ref: head, check_name: CHECK_NAME, app_id: appId };
      const wanted = { ...at, filter: 'latest', per_page: 1 } as const;
      const request = read(octokit.rest.checks.listForRef, wanted, ({ check_runs: [run] }) => {
        if (!run || run.app?.id !== appId || run.head_sha !== head) return null;
        const { id, status, conclusion } = run;
        return { id, status, conclusion, detailsUrl: run.details_url ?? '' };
      });
      return fromGitHub(request, { 404: null, 422: null });
    },
  };
}

const at = (priority: WritePriority, until?: number): RequestOptions => ({ priority, until });

/** Takes a 422 for a refusal of the text, unless it's about the commit. */
function refusedText(error: unknown): 'refused' {
  const { status } = (error ?? {}) as { status?: unknown };
  if (status !== 422 || isUnknownCommit(error)) throw error;
  return 'refused';
}

function toRequest({ status, conclusion, detailsUrl, title, summary, text, log }: ShownContent) {
  return {
    status,
    ...(conclusion && { conclusion }),
    ...(detailsUrl !== undefined && { details_url: detailsUrl }),
    output: { title, summary: log ? `${summary}\n\n${log}` : summary, ...(text && { text }) },
  };
}
