import type { Clock } from '../../shared/clock.ts';
import { type Found, note, ok, problem, unknown } from './finding.ts';

/** One-time codes change every 30 seconds, and GitHub refuses an App whose clock is a minute ahead. */
const MOST_MS = 30_000;
const NOTABLE_MS = 5_000;

/**
 * Compares this machine's time with GitHub's, as its answers' `Date` header shows it.
 *
 * @param deps.githubDate The header of an answer to a request that is sent now; null if there was no answer.
 */
export async function checkClock(deps: {
  clock: Clock;
  githubDate(): Promise<string | null>;
}): Promise<Found> {
  const before = deps.clock.now().getTime();
  const theirs = Date.parse((await deps.githubDate()) ?? '');
  if (Number.isNaN(theirs)) return unknown("GitHub didn't answer, so its time is not known.");
  const after = deps.clock.now().getTime();
  // The header has whole seconds, so the answer was written up to a second after that time.
  const skew = Math.max(before - (theirs + 1_000), theirs - after, 0);
  if (skew < NOTABLE_MS) return ok("This machine's time agrees with GitHub's.");
  const which = theirs > after ? 'behind' : 'ahead of';
  const text = `This machine's clock is ${Math.round(skew / 1000)} seconds ${which} GitHub's. Synchronize it with NTP.`;
  return skew > MOST_MS ? problem(`${text} One-time codes and the App's sign-in fail.`) : note(text);
}
