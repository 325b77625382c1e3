import type { LostApprovals } from '../../../../src/contract/authenticators.ts';
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

const countOf = (count: number, one: string) =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** What the deletion withdraws; `isAll` if that isn't limited to a time. */
export function lossText({ approvals, openPulls }: LostApprovals, isAll: boolean): string {
  const made = isAll ? 'made with it' : 'made with it since then';
  if (approvals === 0) return `No approval was ${made}, so none is withdrawn.`;
  const pulls =
    openPulls === 0
      ? 'No open pull request loses an approval.'
      : `${countOf(openPulls, 'open pull request')} ${openPulls === 1 ? 'loses' : 'lose'} an approval.`;
  return `This withdraws ${countOf(approvals, 'approval')} ${made}. ${pulls}`;
}
