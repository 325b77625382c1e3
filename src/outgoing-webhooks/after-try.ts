import type { OutgoingWebhookOutcome } from '../contract/outgoing-webhooks.ts';
import { keyOf, type QueuedEvent } from './events.ts';
import type { DeliveryState } from './ports.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

/** The pauses before the 11th try make 17 hours. */
const MOST_REFUSALS = 11;

/** Clocks of several processes differ, and a pull request is saved some time after it was read. */
const OVERLAP_MS = 10 * MINUTE_MS;

/** Answers that ask for another try: timeout, too early, too many requests. */
const NOT_NOW = [408, 425, 429];

export const isDelivered = (outcome: OutgoingWebhookOutcome): boolean =>
  outcome.result === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** The receiver is there and won't take this one. */
const isRefused = (outcome: OutgoingWebhookOutcome): boolean =>
  outcome.result === 'answered' &&
  outcome.status >= 400 &&
  outcome.status < 500 &&
  !NOT_NOW.includes(outcome.status);

/**
 * The state after a try to deliver an event. The next event follows a success;
 * a failure waits for a minute, then twice as long each time, up to a day. An
 * event that the receiver refuses eleven times is left out, so that it can't
 * hold up the others.
 *
 * @returns `isStopped` if no delivery succeeded for a week.
 */
export function afterTry(
  before: DeliveryState,
  event: QueuedEvent,
  last: NonNullable<DeliveryState['last']>,
): { state: DeliveryState; isStopped: boolean } {
  const { at, outcome } = last;
  if (isDelivered(outcome)) {
    return {
      state: { ...past(before, event), tries: 0, failingSince: null, due: at, last },
      isStopped: false,
    };
  }
  const failingSince = before.failingSince ?? at;
  const tries = before.tries + 1;
  const isLeftOut = tries >= MOST_REFUSALS && isRefused(outcome);
  const state = isLeftOut
    ? { ...past(before, event), tries: 0, due: at }
    : { ...before, tries, due: new Date(at.getTime() + Math.min(DAY_MS, MINUTE_MS * 2 ** (tries - 1))) };
  return {
    state: { ...state, failingSince, last },
    isStopped: at.getTime() - failingSince.getTime() >= WEEK_MS,
  };
}

/** The state with the event behind it. */
function past(state: DeliveryState, event: QueuedEvent): DeliveryState {
  if (event.type === 'entry') return { ...state, position: event.entry.number };
  const { since } = event.pull;
  const from = new Date(Math.max(state.pullsFrom.getTime(), since.getTime() - OVERLAP_MS));
  const delivered = [...state.delivered, { key: keyOf(event.pull), since: since.toISOString() }].filter(
    (one) => new Date(one.since) >= from,
  );
  return { ...state, pullsFrom: from, delivered };
}
