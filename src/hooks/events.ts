import type { LogReader, StoredEntry } from '../audit/ports.ts';
import type { Hook, WaitingHead, WaitingHeads } from './ports.ts';

/** What a hook delivers in order. */
export type QueuedEvent =
  | { type: 'entry'; at: Date; entry: StoredEntry }
  | { type: 'pull'; at: Date; pull: WaitingHead };

export type HookEvent = QueuedEvent | { type: 'test'; at: Date; id: string };

const PAGE = 200;

export type EventDeps = { log: Pick<LogReader, 'after'>; waitingHeads: WaitingHeads };

/**
 * What the hook has to deliver next, oldest first, at most `most` of them. The
 * log's entries come in their own order, also if clocks differ.
 */
export async function nextEvents(deps: EventDeps, hook: Hook, most: number): Promise<QueuedEvent[]> {
  const [entries, pulls] = await Promise.all([
    deps.log.after(hook.org.id, hook.state.position, most),
    newPulls(deps, hook, most),
  ]);
  const waiting = pulls.map((pull) => ({ type: 'pull', at: pull.since, pull }) as const);
  const merged: QueuedEvent[] = [];
  for (const entry of entries) {
    while (waiting[0] && waiting[0].at <= entry.at) merged.push(waiting.shift() as QueuedEvent);
    merged.push({ type: 'entry', at: entry.at, entry });
  }
  return [...merged, ...waiting].slice(0, most);
}

/** Each head once: a head keeps the time since when it waits, and is remembered until none can have an earlier one. */
async function newPulls({ waitingHeads }: EventDeps, { org, state }: Hook, most: number) {
  const told = new Set(state.told.map(({ key }) => key));
  const found: WaitingHead[] = [];
  for (let number = 1; found.length < most; number += 1) {
    const page = await waitingHeads.since(org.id, state.pullsFrom, { number, size: PAGE });
    found.push(...page.filter(({ key }) => !told.has(key)));
    if (page.length < PAGE) break;
  }
  return found;
}
