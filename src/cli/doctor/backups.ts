import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { backupFolders } from '../../adapters/pocketbase/backups/backup-folder.ts';
import { createS3Copies, S3Refusal } from '../../adapters/s3/s3-copies.ts';
import type { Config } from '../../settings/config.ts';
import { type Found, note, ok, problem } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const DUE_DAYS = 2;
const OLD_DAYS = 7;

type BackupDeps = ReturnType<typeof tryBackups>;

/** Checks that backups can be written and copied, and how old the newest one is. */
export async function checkBackups(deps: BackupDeps, now = new Date()): Promise<Found[]> {
  const refusals = await Promise.all(
    [deps.tryFolder, deps.tryCopy].map((attempt) =>
      attempt().then(
        () => null,
        ({ message }: Error) => message,
      ),
    ),
  );
  const refused = refusals.filter((refusal) => refusal !== null).map(problem);
  const aged = await checkAge(deps, now);
  return aged.status === 'ok' && refused.length > 0 ? refused : [...refused, aged];
}

async function checkAge(
  { newest: readNewest, folders, isCopied }: Pick<BackupDeps, 'folders' | 'newest' | 'isCopied'>,
  now: Date,
): Promise<Found> {
  const newest = await readNewest();
  if (newest === null)
    return note(
      `There is no backup in ${folders.join(' or ')}. If you keep none elsewhere, run otp-guard backup.`,
    );
  const days = Math.floor((now.getTime() - newest.getTime()) / DAY_MS);
  const text = `The last backup is from ${newest.toISOString()}`;
  if (days < DUE_DAYS && isCopied) return ok(`${text}.`);
  if (days < DUE_DAYS)
    return note(
      `${text}, and OTP Guard copies it nowhere. Copy ${folders.join(' and ')} to another machine, or set BACKUP_S3_URL; keep SECRET_KEY or secret.key in a third place.`,
    );
  const advice = `${text}, ${days} days ago. Run otp-guard backup every day.`;
  return days > OLD_DAYS ? problem(advice) : note(advice);
}

const S3_MS = 8_000;

/** Tries what a daily backup does, with a file that's deleted again. What is switched off is fine. */
export function tryBackups({ backup }: Pick<Config, 'backup'>) {
  const { folder, s3 } = backup;
  const folders = backupFolders(backup);
  return {
    folders,
    isCopied: s3 !== null,

    /** The time of the newest encrypted backup in these folders. */
    newest: () => newestBackup(folders),

    /** Writes a file where daily backups are written, and deletes it. @throws Error with a sentence. */
    async tryFolder(): Promise<void> {
      if (folder === null) return;
      const file = join(await nearestOf(folder), `otp-guard-doctor-${randomUUID()}`);
      try {
        await writeFile(file, 'otp-guard doctor wrote this file to try the folder.\n', {
          flag: 'wx',
          mode: 0o600,
        });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new Error(
          `No daily backup can be written to ${folder} (${code}). Let the user that OTP Guard runs as write there, or set BACKUP_DIR.`,
        );
      } finally {
        await rm(file, { force: true }).catch(() => undefined);
      }
    },

    /** Copies a file to S3, and deletes the copy. @throws Error with a sentence. */
    async tryCopy(): Promise<void> {
      if (s3 === null || folder === null) return;
      const temporary = await mkdtemp(join(tmpdir(), 'otp-guard-doctor-'));
      const name = 'otp-guard-doctor.txt';
      try {
        await writeFile(join(temporary, name), 'otp-guard doctor wrote this object to try the bucket.\n');
        const copies = createS3Copies(s3, {
          tooMany: (names) => names.filter((one) => one === name),
          mostMs: S3_MS,
        });
        await copies.copy(join(temporary, name));
      } catch (error) {
        // Another error's message could repeat the address.
        const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
        const reason = error instanceof S3Refusal ? message : `no answer (${cause?.code ?? 'none'})`;
        throw new Error(`No backup can be copied to S3: ${reason}. Check BACKUP_S3_URL.`);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
  };
}

/** The folder, or where it would be created. */
async function nearestOf(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : nearestOf(dirname(folder));
}

async function newestBackup(folders: string[]): Promise<Date | null> {
  const times = await Promise.all(folders.map(timesIn));
  const newest = Math.max(0, ...times.flat());
  return newest > 0 ? new Date(newest) : null;
}

async function timesIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const backups = names.filter((name) => name.endsWith('.age'));
  const found = await Promise.all(backups.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.flatMap((one) => (one ? [one.mtimeMs] : []));
}
