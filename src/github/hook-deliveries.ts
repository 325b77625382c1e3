import type { HookDeliveries, HookDelivery } from '../approvals/ports.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { fromGitHub } from './from-github.ts';

const MOST_PAGES = 10;

/** GitHub's own list of the webhooks that it sent to the App. */
export function createHookDeliveries(app: GitHubApp): HookDeliveries {
  return {
    async listFailed(from) {
      const octokit = await app.asApp();
      const found: HookDelivery[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { deliveries, next } = await failedPage(octokit, cursor);
        found.push(...deliveries);
        const oldest = found.at(-1);
        cursor = next;
        if (!cursor || !oldest || oldest.at < from) break;
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

async function failedPage(
  octokit: Octokit,
  cursor: string | undefined,
): Promise<{ deliveries: HookDelivery[]; next: string | undefined }> {
  const request = octokit.request('GET /app/hook/deliveries', {
    per_page: 100,
    status: 'failure',
    ...(cursor && { cursor }),
  });
  const { data, headers } = await fromGitHub(request);
  const deliveries = data.map(({ id, guid, delivered_at, event, action, installation_id }) => ({
    id: Number(id),
    guid,
    at: new Date(delivered_at),
    event,
    action,
    installation: installation_id === null ? null : Number(installation_id),
  }));
  return { deliveries, next: /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1] };
}
