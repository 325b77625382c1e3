import type { Logger } from 'pino';
import type { Probot } from 'probot';
import type { Deliveries, Receive } from '../webhook.ts';

/** A delivery id is a GUID of GitHub's; it is not signed, so no authority hangs on it. */
const GUID = /^[0-9a-zA-Z-]{1,100}$/;

/**
 * Takes a webhook: checks its signature over the bytes that came, and works on
 * it after the answer. What fails is not noted as done, so that GitHub's
 * redelivery does it; the work itself may be done twice without harm.
 */
export function createReceive(deps: { probot: Probot; deliveries: Deliveries; log: Logger }): Receive {
  const { probot, deliveries, log } = deps;
  return async ({ id, event, signature, body }) => {
    if (!GUID.test(id) || !/^[a-z_]{1,64}$/.test(event)) return { outcome: 'refused' };
    if (!(await probot.webhooks.verify(body, signature).catch(() => false))) return { outcome: 'refused' };
    if (await deliveries.isDone(id)) return { outcome: 'known' };
    const work = async () => {
      try {
        await probot.webhooks.receive({ id, name: event as 'pull_request', payload: JSON.parse(body) });
        await deliveries.done(id, event);
      } catch (error) {
        log.error({ delivery: id, event, err: error }, 'webhook failed');
      }
    };
    return { outcome: 'accepted', work: work() };
  };
}
