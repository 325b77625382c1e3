import type { HookDeliveries, HookDelivery } from '../../approvals/ports.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { fromGitHub } from './from-github.ts';

/** 5,000 webhooks. Deliveries that succeeded are listed too. */
const MOST_PAGES = 50;

/** GitHub's own list of the webhooks that it sent to the App. */
export function createHookDeliveries(app: GitHubApp): HookDeliveries {
  return {
    async listFailed(from) {
      const octokit = await app.asApp();
      const found: HookDelivery[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { failed, oldest, next } = await readPage(octokit, cursor);
        found.push(...failed);
        cursor = next;
        if (!cursor || !oldest || oldest < from) break;
      }
      return found.filter(({ at }) => at >= from);
    },

    async redeliver(id) {
      const octokit = await app.asApp();
      const request = octokit.rest.apps.redeliverWebhookDelivery({ delivery_id: id });
      // The delivery no longer exists, or GitHub is sending it already: there is nothing to do.
      await fromGitHub(request, { 400: null, 404: null, 422: null });
    },
  };
}

/** GitHub doesn't say which deliveries its `status=failure` lists, so all are read: one without an answer has status 0. */
async function readPage(
  octokit: Octokit,
  cursor: string | undefined,
): Promise<{ failed: HookDelivery[]; oldest: Date | undefined; next: string | undefined }> {
  const request = octokit.request('GET /app/hook/deliveries', {
    per_page: 100,
    ...(cursor && { cursor }),
  });
  const { data, headers } = await fromGitHub(request);
  const hasFailed = ({ status_code: status }: { status_code: number }) => status < 200 || status >= 300;
  const failed = data.filter(hasFailed).map(({ id, guid, delivered_at, event, action, installation_id }) => ({
    id: Number(id),
    guid,
    at: new Date(delivered_at),
    event,
    action,
    installation: installation_id === null ? null : Number(installation_id),
  }));
  const last = data.at(-1)?.delivered_at;
  return {
    failed,
    oldest: last ? new Date(last) : undefined,
    next: /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1],
  };
}
