import { type MinimalContent, minimalContent } from '../../approvals/check-run/texts.ts';
import type { CheckRunContent, CheckRuns, WritePriority } from '../../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub } from './from-github.ts';
import type { RequestOptions } from './octokit.ts';

/** The name that rulesets and branch protection require. */
export const CHECK_NAME = 'OTP Guard';

export function createCheckRuns(app: GitHubApp, appId: number): CheckRuns {
  return {
    async create({ installation, owner, name }, head, content, priority) {
      const octokit = await app.asInstallation(installation);
      const request = orMinimal(content, (shown) =>
        octokit.rest.checks.create({
          owner,
          repo: name,
          name: CHECK_NAME,
          head_sha: head,
          ...(toRequest(shown) as { status: 'in_progress' }),
          // If only the answer was lost, sending the request again would create a second run.
          request: { retries: 0, ...at(priority) },
        }),
      );
      const { data } = await fromGitHub(request);
      return data.id;
    },

    async update({ installation, owner, name }, id, content, priority, withinMs) {
      const until = withinMs === undefined ? undefined : performance.now() + withinMs;
      const octokit = await app.asInstallation(installation);
      const request = orMinimal(content, (shown) =>
        octokit.rest.checks.update({
          owner,
          repo: name,
          check_run_id: id,
          ...toRequest(shown),
          request: at(priority, until),
        }),
      );
      const updated = await fromGitHub(request, { 404: null });
      // GitHub may keep a completed run completed and still answer 200.
      return updated?.data.status === content.status;
    },

    async findNewest({ installation, owner, name }, head) {
      const request = app.asInstallation(installation).then((octokit) =>
        octokit.rest.checks.listForRef({
          owner,
          repo: name,
          ref: head,
          check_name: CHECK_NAME,
          app_id: appId,
          filter: 'latest',
          per_page: 1,
        }),
      );
      const found = await fromGitHub(request, { 404: null, 422: null });
      const run = found?.data.check_runs[0];
      if (!run || run.app?.id !== appId || run.head_sha !== head) return null;
      const { id, status, conclusion } = run;
      return { id, status, conclusion, detailsUrl: run.details_url ?? '' };
    },
  };
}

const at = (priority: WritePriority, until?: number): RequestOptions => ({ priority, until });

/**
 * Writes the content. If GitHub refuses it with 422, writes the minimal one, at
 * last without the log: a text must never be why a success stays.
 */
async function orMinimal<T>(
  content: CheckRunContent,
  write: (shown: ShownContent) => Promise<T>,
): Promise<T> {
  const { log: _log, ...withoutLog } = content;
  const last = minimalContent(withoutLog);
  for (const shown of content.log ? [content, minimalContent(content)] : [content]) {
    try {
      return await write(shown);
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status !== 422) throw error;
    }
  }
  return write(last);
}

type ShownContent = MinimalContent & Partial<Pick<CheckRunContent, 'detailsUrl'>>;

function toRequest({ status, conclusion, detailsUrl, title, summary, log }: ShownContent) {
  return {
    status,
    ...(conclusion && { conclusion }),
    ...(detailsUrl !== undefined && { details_url: detailsUrl }),
    output: { title, summary: log ? `${summary}\n\n${log}` : summary },
  };
}
