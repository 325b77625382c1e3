import type { HookDeliveries, HookDelivery } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

const MOST_PAGES = 10;

/** GitHub's own list of the webhooks that it sent to the App. */
export function createHookDeliveries(app: GitHubApp): HookDeliveries {
  return {
    async failed(from) {
      const octokit = await app.asApp();
      const found: HookDelivery[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const asked = octokit.request('GET /app/hook/deliveries', {
          per_page: 100,
          status: 'failure',
          ...(cursor && { cursor }),
        });
        const { data, headers } = await answer(asked, [], { data: [], headers: {} as { link?: string } });
        found.push(
          ...data.map(({ id, guid, delivered_at, event, action, installation_id }) => ({
            id: Number(id),
            guid,
            at: new Date(delivered_at),
            event,
            action,
            installation: installation_id === null ? null : Number(installation_id),
          })),
        );
        const oldest = found.at(-1);
        cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1];
        if (!cursor || !oldest || oldest.at < from) break;
      }
      return found.filter(({ at }) => at >= from);
    },
    async redeliver(id) {
      const octokit = await app.asApp();
      // Gone by now, or under way already: then there is nothing to do.
      await answer(octokit.rest.apps.redeliverWebhookDelivery({ delivery_id: id }), [400, 404, 422], null);
    },
  };
}
