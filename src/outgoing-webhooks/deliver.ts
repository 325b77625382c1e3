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

const PAGE = 100;
/** The outgoing webhooks after these pages wait for a later round. */
const MOST_PAGES = 10;
const EVENTS_A_ROUND = 20;
/** After this time the next event waits for the next turn. A try that has begun takes ten seconds at most. */
const TURN_MS = 5_000;
/** A receiver that takes longer to answer is slow. */
const SLOW_MS = 2_000;

/** The facts about an outgoing webhook for the process's log: neither its address nor its host. */
export type DeliveryFacts = { org: number; kind: OutgoingWebhookKind };

export type DeliverDeps = EventDeps & {
  outgoingWebhooks: OutgoingWebhooks;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  sender: Sender;
  origins: Origins;
  clock: Clock;
  /** Whether this process still does the rounds of all. If not, another one delivers. */
  hasRounds(): boolean;
  /** A try that didn't succeed; `isStopped` if it was the last one. */
  onDeliveryFailed(
    facts: DeliveryFacts & { outcome: OutgoingWebhookOutcome; tries: number },
    isStopped: boolean,
  ): void;
  /** Something else failed, for example the record store. */
  onDeliveryError(error: unknown, facts: DeliveryFacts): void;
};

/**
 * Delivers what is due, in order for each outgoing webhook and at least once. Of several processes only the one that
 * does the rounds calls this.
 *
 * A round only starts deliveries. It doesn't wait for them, so that slow receivers don't hold up the next round.
 */
export function createDeliveryRounds(deps: DeliverDeps): { round(): Promise<void>; stop(): Promise<void> } {
  const pool = createDeliveryPool((due, mark) =>
    deliver(deps, due, mark).catch((error: unknown) => deps.onDeliveryError(error, factsOf(due))),
  );
  return {
    round: async () => pool.offer(await readDue(deps)),
    /** Starts no more deliveries, and resolves when those on their way have ended. */
    stop: pool.stop,
  };
}

/** Reads all pages: the first can be full of outgoing webhooks that have to wait for a place. */
async function readDue({ outgoingWebhooks, clock }: DeliverDeps): Promise<Due[]> {
  const now = clock.now();
  const due: Due[] = [];
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const page = await outgoingWebhooks.due(now, { number, size: PAGE });
    due.push(...page.due);
    if (page.isLast) break;
  }
  return due;
}

async function deliver(deps: DeliverDeps, due: Due, mark: (isSlow: boolean) => void): Promise<void> {
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
    const next = await tryOne(deps, { outgoing, address, state, event, mark });
    if (!next) break;
    state = next;
  }
}

type Try = {
  outgoing: OutgoingWebhook;
  address: Address;
  state: DeliveryState;
  event: QueuedEvent;
  mark(isSlow: boolean): void;
};

/** Returns the new state if the next event may follow. Nothing more is sent to an outgoing webhook that was removed. */
async function tryOne(
  deps: DeliverDeps,
  { outgoing, address, state, event, mark }: Try,
): Promise<DeliveryState | null> {
  const at = deps.clock.now();
  const began = elapsed(deps.clock);
  const outcome = await deps.sender.send(
    messageOf(event, { outgoing, ...address, origins: deps.origins, now: at }),
  );
  mark(elapsed(deps.clock) - began > SLOW_MS);
  const next = afterTry(state, event, { at, outcome });
  const isStillThere = await deps.outgoingWebhooks.save(outgoing, next.state);
  if (isDelivered(outcome)) return isStillThere ? next.state : null;
  deps.onDeliveryFailed({ ...factsOf(outgoing), outcome, tries: state.tries + 1 }, next.isStopped);
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

const factsOf = ({ org, kind }: Due): DeliveryFacts => ({ org: org.orgId, kind });

/** Receivers that were slow the last time have as many places of their own, so that they only hold up each other. */
const AT_ONCE = 20;

/** Works on an outgoing webhook, and marks after each try whether its receiver was slow. Never rejects. */
type Work = (due: Due, mark: (isSlow: boolean) => void) => Promise<void>;

/** Decides which deliveries run: one of each organization at a time, and those to slow receivers in places of their own. */
function createDeliveryPool(work: Work) {
  const places = createQueues<'quick' | 'slow'>(AT_ONCE);
  const turns = createQueues<number>(1);
  const slow = new Set<number>();
  const offered = new Map<string, Promise<void>>();
  let isStopped = false;

  const start = (due: Due) => {
    const { orgId } = due.org;
    const mark = (isSlow: boolean) => void (isSlow ? slow.add(orgId) : slow.delete(orgId));
    const run = async () => (isStopped ? undefined : work(due, mark));
    return turns.add(orgId, () => places.add(slow.has(orgId) ? 'slow' : 'quick', run));
  };
  return {
    /** Starts those that may, and the others as soon as they may. */
    offer(due: Due[]): void {
      for (const one of due) {
        const { id } = one;
        if (!offered.has(id))
          offered.set(
            id,
            start(one).finally(() => offered.delete(id)),
          );
      }
    },
    /** Starts no more, and resolves when those that run have ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(offered.values());
    },
  };
}
