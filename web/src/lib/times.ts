/** A time of the record store (`2026-11-21 09:14:03.123Z`) as RFC 3339. */
export const toIso = (at: string) => at.replace(' ', 'T');

/** The day part of a record store's time. */
export const dayOf = (at: string) => at.slice(0, 10);

/** Kept, because making one takes longer than all the rest of a row. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The exact time in the reader's zone, which it names. What isn't a time stays as it is. */
export const exactTime = (at: string) => {
  const time = new Date(toIso(at));
  return Number.isNaN(time.getTime()) ? at : exact.format(time);
};

const shortTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** An hour of UTC today, as the reader's clock shows it, such as `08:00` or `8:00 AM`. */
export const timeToday = (hourUtc: number): string =>
  shortTime.format(new Date().setUTCHours(hourUtc, 0, 0, 0));

const MINUTE = 60;
const STEPS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
];

/** Kept, because making one takes as long as a hundred answers of it. */
const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago a time was, such as `3 hours ago`. If this clock is behind, a future time is `just now`. */
export function ago(at: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(toIso(at))) / 1000);
  const step = STEPS.find(([, length]) => seconds >= length);
  if (!step) return 'just now';
  const [unit, length] = step;
  return relativeTime.format(-Math.floor(seconds / length), unit);
}

/** How long a wait is, rounded up to whole minutes or ten seconds so that the text doesn't change every second. */
export function formatWait(seconds: number): string {
  if (seconds > 55) {
    const minutes = Math.ceil(seconds / MINUTE);
    return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  }
  return `in ${Math.ceil(seconds / 10) * 10} seconds`;
}
