import { toIso } from '../../lib/times.ts';

/** The time in the form of `<input type="datetime-local">`: local, to the minute. */
export function toLocalMinute(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/**
 * The time that a person entered, as RFC 3339, but not before the authenticator was added. An empty one means that they
 * don't know: then all approvals made with it count as lost.
 *
 * @param created A time of the record store.
 */
export function lostSinceOf(entered: string, created: string): string {
  const added = toIso(created);
  const time = Date.parse(entered);
  return Number.isNaN(time) || time < Date.parse(added) ? added : new Date(time).toISOString();
}
