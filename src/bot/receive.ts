import type { Logger } from 'pino';
import type { Probot } from 'probot';
import { within } from '../log-context.ts';
import type { Deliveries, Receive } from '../webhook.ts';

/** A delivery id is a GUID of GitHub's; it is not signed, so no authority hangs on it. */
const GUID = /^[0-9a-zA-Z-]{1,100}$/;

/** No list of GitHub's tells of these later. */
const isOwed = (event: string, payload: Payload) =>
  event === 'merge_group' || payload.action === 'rerequested';

type Payload = { action?: unknown; installation?: { id?: unknown } };

/**
 * Takes a webhook: checks its signature over the bytes that came, and works on
 * it after the answer. What fails is not noted as done, so that GitHub's
 * redelivery does it; the work itself may be done twice without harm.
 */
export function createReceive(deps: {
  probot: Probot;
  deliveries: Deliveries;
  log: Logger;
  /** Told of each signed webhook and what became of it. */
  onWebhook?: ((event: string, outcome: 'done' | 'failed' | 'known') => void) | undefined;
}): Receive {
  const { probot, deliveries, log, onWebhook } = deps;
  return async ({ id, event, signature, body }) => {
    if (!GUID.test(id) || !/^[a-z_]{1,64}$/.test(event)) return { outcome: 'refused' };
    if (!(await probot.webhooks.verify(body, signature).catch(() => false))) return { outcome: 'refused' };
    if (await deliveries.isDone(id)) {
      onWebhook?.(event, 'known');
      return { outcome: 'known' };
    }
    const payload = parsed(body);
    const work = async () => {
      try {
        if (!payload) throw new Error('the payload is no JSON');
        await probot.webhooks.receive({ id, name: event as 'pull_request', payload: payload as never });
        await deliveries.done(id, event, Number(payload.installation?.id ?? 0));
        onWebhook?.(event, 'done');
        return true;
      } catch (error) {
        log.error({ event, err: error }, 'webhook failed');
        onWebhook?.(event, 'failed');
        return false;
      }
    };
    return {
      outcome: 'accepted',
      work: within({ delivery: id }, work),
      isOwed: payload !== null && isOwed(event, payload),
    };
  };
}

function parsed(body: string): Payload | null {
  try {
    return JSON.parse(body) as Payload;
  } catch {
    return null;
  }
}
