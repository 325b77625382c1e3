import type { Clock } from '../../shared/clock.ts';
import { type Found, note, ok, problem } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const DUE_DAYS = 2;
const OLD_DAYS = 7;

export type BackupDeps = {
  clock: Clock;
  folders: string[];
  /** When the newest file in these folders was written; null if there's none. */
  newest(): Promise<Date | null>;
  /** Writes a file where daily backups are written, and deletes it. Rejects with a sentence for the operator. */
  tryFolder(): Promise<void>;
  /** Copies a file to S3, and deletes the copy. Rejects with a sentence for the operator. */
  tryCopy(): Promise<void>;
};

/** Whether backups can be written and copied, and how old the newest one is. */
export async function checkBackups(deps: BackupDeps): Promise<Found[]> {
  const refusals = await Promise.all(
    [deps.tryFolder, deps.tryCopy].map((attempt) =>
      attempt().then(
        () => null,
        ({ message }: Error) => message,
      ),
    ),
  );
  const refused = refusals.filter((refusal) => refusal !== null).map(problem);
  const aged = await checkAge(deps);
  return aged.status === 'ok' && refused.length > 0 ? refused : [...refused, aged];
}

async function checkAge(deps: Pick<BackupDeps, 'clock' | 'folders' | 'newest'>): Promise<Found> {
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
