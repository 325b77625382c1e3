import type { Scratch } from './scratch.ts';

export type Sent = { at: Date; payload: Record<string, unknown> };

type Wanted = { event: string; action: string; matches(payload: Sent['payload']): boolean };

/** Finds a webhook about this repository among the newest 100 that GitHub sent to the App, arrived or not. */
export async function findWebhook(scratch: Scratch, wanted: Wanted): Promise<Sent | undefined> {
  const { data } = await scratch.app.request('GET /app/hook/deliveries', { per_page: 100 });
  const about = data.filter(
    ({ event, action, repository_id }) =>
      event === wanted.event && action === wanted.action && Number(repository_id) === scratch.id,
  );
  for (const { id, delivered_at } of about) {
    const { data: whole } = await scratch.app.request('GET /app/hook/deliveries/{delivery_id}', {
      delivery_id: Number(id),
    });
    const payload = (whole.request.payload ?? {}) as Sent['payload'];
    if (wanted.matches(payload)) return { at: new Date(delivered_at), payload };
  }
  return undefined;
}
