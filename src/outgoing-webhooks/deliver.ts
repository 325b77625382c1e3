import type { OutgoingWebhookKind, OutgoingWebhookOutcome } from '../contract/outgoing-webhooks.ts';
import type { Memberships } from '../organizations/ports.ts';
import { type Clock, elapsed } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import { createQueues } from '../shared/queues.ts';
import { afterTry, isDelivered } from './after-try.ts';
import { type EventDeps, nextEvents, type QueuedEvent } from './events.ts';
import { messageOf } from './message.ts';
import type { Address, DeliveryState, Due, OutgoingWebhook, OutgoingWebhooks, Sender } from './ports.ts';
import { stopEffects } from './set-outgoing-webhook.ts';

/** The other outgoing webhooks wait for a later round. */
const MOST_DUE = 1_000;
/** Many, so that hundreds of receivers that take seconds to answer don't hold up the others. */
const AT_ONCE = 250;
const EVENTS_A_ROUND = 20;
/** After this time the next event waits for the next turn. A try that has begun takes ten seconds at most. */
const TURN_MS = 5_000;

/** An outgoing webhook as the process log names it: without its address and host. */
export type Receiver = { org: number; kind: OutgoingWebhookKind };

export type DeliverDeps = EventDeps & {
  outgoingWebhooks: OutgoingWebhooks;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  sender: Sender;
  origins: Origins;
  clock: Clock;
  /** Tells whether this process still does the rounds for all processes. If not, another process delivers. */
  hasRounds(): boolean;
  /** A try that didn't succeed; `isStopped` if it was the last one. */
  onDeliveryFailed(
    failed: Receiver & { outcome: OutgoingWebhookOutcome; tries: number },
    isStopped: boolean,
  ): void;
  /** Something else failed, for example the record store. */
  onDeliveryError(error: unknown, receiver: Receiver): void;
};

/**
 * Delivers what is due, in order for each outgoing webhook and at least once. Of several processes only the one that
 * does the rounds calls this.
 *
 * A round only starts deliveries. It doesn't wait for them, so that slow receivers don't hold up the next round.
 */
export function createDeliveryRounds(deps: DeliverDeps): { round(): Promise<void>; stop(): Promise<void> } {
  const places = createQueues<'all'>(AT_ONCE);
  const turns = createQueues<number>(1);
  const begun = new Map<string, Promise<void>>();
  let isStopped = false;

  const work = async (due: Due) => {
    if (isStopped) return;
    await deliver(deps, due).catch((error: unknown) => deps.onDeliveryError(error, receiverOf(due)));
  };
  return {
    async round() {
      for (const due of await deps.outgoingWebhooks.due(deps.clock.now(), MOST_DUE)) {
        if (begun.has(due.id)) continue;
        // One of each organization at a time.
        const delivered = turns.add(due.org.orgId, () => places.add('all', () => work(due)));
        begun.set(
          due.id,
          delivered.finally(() => begun.delete(due.id)),
        );
      }
    },
    /** Starts no more deliveries, and resolves when those on their way have ended. */
    async stop() {
      isStopped = true;
      await Promise.all(begun.values());
    },
  };
}

async function deliver(deps: DeliverDeps, due: Due): Promise<void> {
  // Since the list was read, events may have been delivered, and an owner may have removed it.
  const outgoing = (await deps.outgoingWebhooks.of(due.org.id)).find(({ id }) => id === due.id);
  if (!outgoing || outgoing.stopped || outgoing.state.due > deps.clock.now()) return;
  const events = await nextEvents(deps, outgoing, EVENTS_A_ROUND);
  if (events.length === 0) return;
  const began = elapsed(deps.clock);
  const address = deps.outgoingWebhooks.open(outgoing);
  let { state } = outgoing;
  for (const event of events) {
    if (!deps.hasRounds() || elapsed(deps.clock) - began > TURN_MS) break;
    const next = await tryOne(deps, { outgoing, address, state, event });
    if (!next) break;
    state = next;
  }
}

type Try = { outgoing: OutgoingWebhook; address: Address; state: DeliveryState; event: QueuedEvent };

/** Returns the new state if the next event may follow. Nothing more is sent to an outgoing webhook that was removed. */
async function tryOne(
  deps: DeliverDeps,
  { outgoing, address, state, event }: Try,
): Promise<DeliveryState | null> {
  const at = deps.clock.now();
  const outcome = await deps.sender.send(
    messageOf(event, { outgoing, ...address, origins: deps.origins, now: at }),
  );
  const next = afterTry(state, event, { at, outcome });
  const isStillThere = await deps.outgoingWebhooks.save(outgoing, next.state);
  if (isDelivered(outcome)) return isStillThere ? next.state : null;
  deps.onDeliveryFailed({ ...receiverOf(outgoing), outcome, tries: state.tries + 1 }, next.isStopped);
  if (next.isStopped && isStillThere) await stop(deps, outgoing);
  return null;
}

async function stop(
  { outgoingWebhooks, memberships }: DeliverDeps,
  outgoing: OutgoingWebhook,
): Promise<void> {
  const owners = await memberships.ownersToNotify(outgoing.org.id);
  await outgoingWebhooks.stop(outgoing, stopEffects({ ...outgoing, owners }));
}

const receiverOf = ({ org, kind }: Due): Receiver => ({ org: org.orgId, kind });
