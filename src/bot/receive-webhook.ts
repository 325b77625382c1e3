import type { Probot } from 'probot';
import { withLogContext } from '../shared/log.ts';
import type { Log } from '../shared/log-events.ts';
import type { Queues } from '../shared/queues.ts';
import type { Delivery, Received, ReceiveWebhook, WebhookDeliveries } from '../shared/webhook.ts';
import { giveWay } from '../shared/work.ts';
import { isHandled, isIrreplaceable } from './handlers.ts';
import { shortenPull } from './pull-request.ts';

/** The form of GitHub's delivery ids. They aren't signed, so they only serve to skip duplicates. */
const GUID = /^[0-9a-zA-Z-]{1,100}$/;
const EVENT = /^[a-z0-9_]{1,64}$/;

type ReceiveDeps = {
  probot: Pick<Probot, 'webhooks'>;
  /** The App's id. */
  appId: number;
  deliveries: WebhookDeliveries;
  headTurns: Queues<string>;
  log: Log;
  /** Called with the processing, which continues after the answer. A process that ends finishes it. */
  onUnfinished(work: Promise<unknown>): void;
  /**
   * Called for each webhook with a valid signature; `known` is the metric's label for a duplicate, `ignored` for a
   * webhook that nothing acts on.
   */
  onWebhook?: ((event: string, outcome: 'done' | 'failed' | 'known' | 'ignored') => void) | undefined;
};

type OfApp = { app?: { id: number } | null };
type Payload = {
  action?: unknown;
  installation?: { id?: unknown };
  check_run?: OfApp;
  check_suite?: OfApp;
};

/** A webhook whose signature is valid. */
type Webhook = { id: string; event: string; payload: Payload };

/**
 * Receives a webhook: verifies its signature over the received bytes, stores that it arrived, and
 * processes it after the answer. A webhook that fails isn't marked as processed,
 * so GitHub's redelivery processes it. Processing is idempotent.
 */
export function createReceiveWebhook(deps: ReceiveDeps): ReceiveWebhook {
  return async (delivery) => {
    const webhook = await readWebhook(deps, delivery);
    // Not awaited here, where the bytes would stay in memory until the webhook is stored.
    return 'outcome' in webhook ? webhook : acceptWebhook(deps, webhook);
  };
}

async function readWebhook(
  { probot, appId, onWebhook }: ReceiveDeps,
  delivery: Delivery,
): Promise<Webhook | { outcome: 'refused' | 'malformed' | 'ignored' }> {
  const { id, event, signature, body } = delivery;
  if (!GUID.test(id) || !EVENT.test(event)) return { outcome: 'malformed' };
  if (!(await probot.webhooks.verify(body, signature).catch(() => false))) return { outcome: 'refused' };
  delivery.onSigned?.();
  const payload = parsePayload(body);
  if (payload === null) return { outcome: 'malformed' };
  // An App that may write checks also gets those of all other Apps.
  const app = (payload.check_run ?? payload.check_suite)?.app?.id ?? appId;
  if (app === appId && isHandled({ event, action: payload.action }))
    return { id, event, payload: event === 'pull_request' ? shortenPull(payload) : payload };
  onWebhook?.(event, 'ignored');
  return { outcome: 'ignored' };
}

async function acceptWebhook(deps: ReceiveDeps, webhook: Webhook): Promise<Received> {
  const { deliveries, headTurns, onWebhook } = deps;
  const { id, event, payload } = webhook;
  // GitHub waits for the answer, so no work begins while webhooks arrive.
  if (await headTurns.yieldTo(0, () => deliveries.receive(id, event, installationOf(payload)))) {
    onWebhook?.(event, 'known');
    return { outcome: 'duplicate' };
  }
  const begin = () => withLogContext({ delivery: id }, () => processWebhook(deps, webhook));
  // GitHub waits for the work on an irreplaceable one.
  const isAwaited = isIrreplaceable({ event, action: payload.action });
  const work = isAwaited ? begin() : startInTurn(deps, begin);
  deps.onUnfinished(work);
  return { outcome: 'accepted', work, isIrreplaceable: isAwaited };
}

/** Starts a few at a time, between which this process serves everyone else. A turn ends with the start, not with the work. */
async function startInTurn<T>({ headTurns }: ReceiveDeps, begin: () => Promise<T>): Promise<T> {
  const { work } = await headTurns.add('start', async () => {
    const started = { work: begin() };
    await giveWay();
    return started;
  });
  return work;
}

/** False if it failed; the failure is logged. */
async function processWebhook(
  { probot, deliveries, log, onWebhook }: ReceiveDeps,
  { id, event, payload }: Webhook,
): Promise<boolean> {
  try {
    await probot.webhooks.receive({ id, name: event as 'pull_request', payload: payload as never });
    await deliveries.markProcessed(id, event, installationOf(payload));
    onWebhook?.(event, 'done');
    return true;
  } catch (error) {
    log.error({ event: 'webhook_failed', webhook: event, err: error }, 'webhook failed');
    onWebhook?.(event, 'failed');
    return false;
  }
}

const installationOf = ({ installation }: Payload) => Number(installation?.id ?? 0);

function parsePayload(body: string): Payload | null {
  try {
    return JSON.parse(body) as Payload;
  } catch {
    return null;
  }
}
