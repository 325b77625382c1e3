import type { HookKind, HookOutcome } from '../contract/outgoing-webhooks.ts';
import type { Memberships } from '../organizations/ports.ts';
import { type Clock, elapsed } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import { afterTry, isDelivered } from './after-try.ts';
import { createDeliveryPool } from './delivery-pool.ts';
import { type EventDeps, nextEvents, type QueuedEvent } from './events.ts';
import { stopEffects } from './hook-effects.ts';
import { messageOf } from './message.ts';
import type { Hook, HookState, Hooks, Sender } from './ports.ts';

const PAGE = 100;
/** More hooks than that wait for a later round. */
const MOST_PAGES = 10;
const EVENTS_A_ROUND = 20;
/** After that time a hook's next event waits for its next turn. A try that has begun takes ten seconds at most. */
const TURN_MS = 5_000;
/** A receiver that takes longer to answer is slow. */
const SLOW_MS = 2_000;
/** A claim lasts so much longer than a turn that two processes never deliver for one hook at a time. */
const CLAIM_MS = 5 * 60_000;

/** The facts about a hook for the process's log: neither its address nor its host. */
export type HookFacts = { org: number; kind: HookKind };

export type DeliverDeps = EventDeps & {
  hooks: Hooks;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  sender: Sender;
  origins: Origins;
  clock: Clock;
  /** A try that didn't succeed; `isStopped` if it was the last one. */
  onHookFailed(facts: HookFacts & { outcome: HookOutcome; tries: number }, isStopped: boolean): void;
  /** Something else failed, for example the record store. */
  onHookError(error: unknown, facts: HookFacts): void;
};

/**
 * Delivers what is due, in order for each hook and at least once. Of several
 * processes only one works on a hook at a time, and another one goes on if it stops.
 *
 * A round only starts deliveries. It doesn't wait for them, so that slow receivers don't hold up the next round.
 */
export function createHookRounds(deps: DeliverDeps): { round(): Promise<void>; stop(): Promise<void> } {
  let isStopped = false;
  const pool = createDeliveryPool((hook, mark) =>
    deliver(deps, hook, mark).catch((error: unknown) => deps.onHookError(error, factsOf(hook))),
  );
  return {
    async round() {
      const due = await readDue(deps);
      if (!isStopped) pool.offer(due);
    },
    /** Starts no more deliveries, and resolves when those on their way have ended. */
    stop() {
      isStopped = true;
      return pool.stop();
    },
  };
}

/** All of them: the first page can be full of hooks that have to wait for a place. */
async function readDue({ hooks, clock }: DeliverDeps): Promise<Hook[]> {
  const now = clock.now();
  const due: Hook[] = [];
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const page = await hooks.due(now, { number, size: PAGE });
    due.push(...page.hooks);
    if (page.isLast) break;
  }
  return due;
}

async function deliver(deps: DeliverDeps, hook: Hook, mark: (isSlow: boolean) => void): Promise<void> {
  const events = await nextEvents(deps, hook, EVENTS_A_ROUND);
  if (events.length === 0) return;
  const began = elapsed(deps.clock);
  if (!(await deps.hooks.claim(hook, new Date(deps.clock.now().getTime() + CLAIM_MS)))) return;
  const address = deps.hooks.open(hook);
  let { state } = hook;
  for (const event of events) {
    if (elapsed(deps.clock) - began > TURN_MS) break;
    const next = await tryOne(deps, { hook, address, state, event, mark });
    if (!next) break;
    state = next;
  }
  await deps.hooks.release(hook);
}

type Try = {
  hook: Hook;
  address: { url: string; secret: string };
  state: HookState;
  event: QueuedEvent;
  mark(isSlow: boolean): void;
};

/** Returns the new state if the next event may follow: nothing more is sent to a hook that was removed meanwhile. */
async function tryOne(
  deps: DeliverDeps,
  { hook, address, state, event, mark }: Try,
): Promise<HookState | null> {
  const at = deps.clock.now();
  const began = elapsed(deps.clock);
  const outcome = await deps.sender.send(
    messageOf(event, { hook, ...address, origins: deps.origins, now: at }),
  );
  mark(elapsed(deps.clock) - began > SLOW_MS);
  const next = afterTry(state, event, { at, outcome });
  const isStillThere = await deps.hooks.save(hook, next.state);
  if (isDelivered(outcome)) return isStillThere ? next.state : null;
  deps.onHookFailed({ ...factsOf(hook), outcome, tries: state.tries + 1 }, next.isStopped);
  if (next.isStopped && isStillThere) await stop(deps, hook);
  return null;
}

async function stop({ hooks, memberships }: DeliverDeps, hook: Hook): Promise<void> {
  const owners = await memberships.ownersToNotify(hook.org.id);
  await hooks.stop(hook, stopEffects({ ...hook, owners }));
}

const factsOf = ({ org, kind }: Hook): HookFacts => ({ org: org.orgId, kind });
