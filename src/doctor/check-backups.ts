import type { Clock } from '../clock.ts';
import { type Found, note, ok, problem } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const DUE_DAYS = 2;
const OLD_DAYS = 7;

/** @param deps.newest When the newest file in the folders of backups was written; null if there's none. */
export async function checkBackups(deps: {
  clock: Clock;
  folders: string[];
  newest(): Promise<Date | null>;
}): Promise<Found> {
  const newest = await deps.newest();
  if (newest === null)
    return note(
      `There is no backup in ${deps.folders.join(' or ')}. If you keep none elsewhere, run otp-guard backup.`,
    );
  const days = Math.floor((deps.clock.now().getTime() - newest.getTime()) / DAY_MS);
  const text = `The last backup is from ${newest.toISOString()}`;
  if (days < DUE_DAYS) return ok(`${text}.`);
  const advice = `${text}, ${days} days ago. Run otp-guard backup every day.`;
  return days > OLD_DAYS ? problem(advice) : note(advice);
}
