import pMap from 'p-map';
import type { Clock } from '../clock.ts';
import type { HookKind, HookOutcome } from '../contract/hooks.ts';
import type { Origins } from '../links.ts';
import type { Memberships } from '../organizations/ports.ts';
import { afterTry, isDelivered } from './after-try.ts';
import { type EventDeps, nextEvents, type QueuedEvent } from './events.ts';
import { stopEffects } from './hook-effects.ts';
import { messageOf } from './message.ts';
import type { Hook, HookState, Hooks, Sender } from './ports.ts';

const MOST_HOOKS = 100;
/** So that a few receivers that don't answer hold up no other hook. */
const AT_ONCE = 8;
const EVENTS_A_ROUND = 20;
/** A claim lasts so much longer than the work that two processes never deliver for one hook at a time. */
const WORK_MS = 60_000;
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
 */
export async function deliverHooks(deps: DeliverDeps): Promise<void> {
  const due = await deps.hooks.due(deps.clock.now(), MOST_HOOKS);
  await pMap(
    due,
    (hook) => deliver(deps, hook).catch((error: unknown) => deps.onHookError(error, factsOf(hook))),
    { concurrency: AT_ONCE },
  );
}

async function deliver(deps: DeliverDeps, hook: Hook): Promise<void> {
  const events = await nextEvents(deps, hook, EVENTS_A_ROUND);
  if (events.length === 0) return;
  const began = deps.clock.now().getTime();
  if (!(await deps.hooks.claim(hook, new Date(began + CLAIM_MS)))) return;
  const address = deps.hooks.open(hook);
  let { state } = hook;
  for (const event of events) {
    if (deps.clock.now().getTime() - began > WORK_MS) break;
    const next = await tryOne(deps, { hook, address, state, event });
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
};

/** Returns the new state if the next event may follow: nothing more is sent to a hook that was removed meanwhile. */
async function tryOne(deps: DeliverDeps, { hook, address, state, event }: Try): Promise<HookState | null> {
  const at = deps.clock.now();
  const outcome = await deps.sender.send(
    messageOf(event, { hook, ...address, origins: deps.origins, now: at }),
  );
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
