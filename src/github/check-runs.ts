import type { CheckRunContent, CheckRuns } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';
import { createWriteLanes, type WriteLimits } from './write-lanes.ts';

/** The name that branch protection asks for. */
export const CHECK_NAME = 'OTP Guard';

function toRequest(content: CheckRunContent) {
  return {
    status: content.status,
    ...(content.conclusion && { conclusion: content.conclusion }),
    details_url: content.detailsUrl,
    output: { title: content.title, summary: content.summary },
  };
}

export function createCheckRuns(app: GitHubApp, appId: number, limits?: Partial<WriteLimits>): CheckRuns {
  const send = createWriteLanes(limits);
  return {
    async create({ installation, owner, name }, head, content, isUrgent = false) {
      const octokit = await answer(app.asInstallation(installation), [], null);
      if (!octokit) return 0;
      const asked = send({ installation, lane: isUrgent ? 'express' : 'normal' }, (signal) =>
        octokit.rest.checks.create({
          owner,
          repo: name,
          name: CHECK_NAME,
          head_sha: head,
          ...(toRequest(content) as { status: 'in_progress' }),
          // A second try of a write whose answer was lost could make a second run.
          request: { retries: 0, signal },
        }),
      );
      const made = await answer(asked, [], null);
      return made?.data.id ?? 0;
    },
    async update({ installation, owner, name }, id, content) {
      const octokit = await answer(app.asInstallation(installation), [404], null);
      if (!octokit) return false;
      const asked = send({ installation, lane: 'express' }, (signal) =>
        octokit.rest.checks.update({
          owner,
          repo: name,
          check_run_id: id,
          ...toRequest(content),
          request: { signal },
        }),
      );
      const updated = await answer(asked, [404], null);
      // GitHub may keep a completed run completed, whatever it is asked for.
      return updated?.data.status === content.status;
    },
    async find({ installation, owner, name }, head) {
      const asked = app.asInstallation(installation).then((octokit) =>
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
      const found = await answer(asked, [404, 422], null);
      const run = found?.data.check_runs[0];
      if (!run || run.app?.id !== appId || run.head_sha !== head) return null;
      return { id: run.id, status: run.status, conclusion: run.conclusion };
    },
  };
}
