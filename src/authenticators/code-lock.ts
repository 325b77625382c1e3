import { AppError } from '../app-error.ts';

/**
 * RFC 4226 section 7.3 requires a throttle, and NIST SP 800-63B section 5.2.2
 * allows at most 100 consecutive failed attempts.
 */
const FREE_FAILURES = 5;
const FIRST_LOCK_S = 5 * 60;
const LONGEST_LOCK_S = 24 * 60 * 60;
const MOST_FAILURES = 100;

/**
 * How many seconds codes stay locked. Four wrong codes are free. The fifth and
 * each one after it locks codes, for a time that doubles with every five.
 *
 * @param failures Wrong codes since the last right one.
 * @param last When the last wrong code was entered.
 */
export function secondsLocked(failures: number, last: Date | null, now: Date): number {
  if (failures < FREE_FAILURES || !last) return 0;
  if (failures >= MOST_FAILURES) return LONGEST_LOCK_S;
  const lock = Math.min(FIRST_LOCK_S * 2 ** (Math.floor(failures / FREE_FAILURES) - 1), LONGEST_LOCK_S);
  return Math.max(0, Math.ceil(lock - (now.getTime() - last.getTime()) / 1000));
}

/** How many wrong codes are still free after this many. */
export const triesLeft = (failures: number): number => Math.max(0, FREE_FAILURES - failures);

/** Whether the person gets a notice of this failure: they get one for every five. */
export function isNoticeDue(failures: number): boolean {
  return failures % FREE_FAILURES === 0;
}

export function tooManyCodes(failures: number, seconds: number): AppError {
  const sentence =
    failures >= MOST_FAILURES
      ? 'Your codes are locked in this organization. Use a passkey or a security key, or ask an owner for help.'
      : `Too many wrong codes. Try again in ${inWords(seconds)}, or use a passkey.`;
  return new AppError('tooManyCodes', { sentence, retryAfter: seconds });
}

function inWords(seconds: number): string {
  if (seconds < 60) return 'a minute';
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
