import type { Probot } from 'probot';
import { isIrreplaceable } from '../approvals/reconcile/redeliver-failed.ts';
import { withLogContext } from '../shared/log.ts';
import type { Log } from '../shared/log-events.ts';
import type { Delivery, ReceiveWebhook, WebhookDeliveries } from '../shared/webhook.ts';

/** The form of GitHub's delivery ids. They aren't signed, so they only serve to skip duplicates. */
const GUID = /^[0-9a-zA-Z-]{1,100}$/;
const EVENT = /^[a-z_]{1,64}$/;

type ReceiveDeps = {
  probot: Pick<Probot, 'webhooks'>;
  deliveries: WebhookDeliveries;
  log: Log;
  /** Called with the processing, which goes on after the answer. A process that ends finishes it. */
  onUnfinished(work: Promise<unknown>): void;
  /** Called for each webhook with a valid signature; `known` is the metric's label for a duplicate. */
  onWebhook?: ((event: string, outcome: 'done' | 'failed' | 'known') => void) | undefined;
};

type Payload = { action?: unknown; installation?: { id?: unknown } };

/**
 * Receives a webhook: verifies its signature over the received bytes, and
 * processes it after the answer. A webhook that fails isn't marked as processed,
 * so GitHub's redelivery processes it. Processing is idempotent.
 */
export function createReceiveWebhook(deps: ReceiveDeps): ReceiveWebhook {
  const { probot, deliveries, onWebhook } = deps;
  return async (delivery) => {
    const { id, event, signature, body } = delivery;
    if (!GUID.test(id) || !EVENT.test(event)) return { outcome: 'refused' };
    if (!(await probot.webhooks.verify(body, signature).catch(() => false))) return { outcome: 'refused' };
    const knowing = deliveries.isProcessed(id);
    const payload = parsePayload(body);
    if (await knowing) {
      onWebhook?.(event, 'known');
      return { outcome: 'duplicate' };
    }
    const work = withLogContext({ delivery: id }, () => processWebhook(deps, delivery, payload));
    deps.onUnfinished(work);
    return {
      outcome: 'accepted',
      work,
      isIrreplaceable: payload !== null && isIrreplaceable({ event, action: payload.action }),
    };
  };
}

/** False if it failed; the failure is logged. */
async function processWebhook(
  { probot, deliveries, log, onWebhook }: ReceiveDeps,
  { id, event }: Delivery,
  payload: Payload | null,
): Promise<boolean> {
  try {
    if (!payload) throw new Error("the payload isn't JSON");
    await probot.webhooks.receive({ id, name: event as 'pull_request', payload: payload as never });
    await deliveries.markProcessed(id, event, Number(payload.installation?.id ?? 0));
    onWebhook?.(event, 'done');
    return true;
  } catch (error) {
    log.error({ event: 'webhook_failed', webhook: event, err: error }, 'webhook failed');
    onWebhook?.(event, 'failed');
    return false;
  }
}

function parsePayload(body: string): Payload | null {
  try {
    return JSON.parse(body) as Payload;
  } catch {
    return null;
  }
}
