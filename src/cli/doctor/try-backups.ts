import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createS3Copies } from '../../adapters/s3/s3-copies.ts';
import type { Config } from '../../settings/config.ts';

const S3_MS = 8_000;

/** Tries what a daily backup does, with a file that's deleted again. What is switched off is fine. */
export function tryBackups({ backup: { folder, s3 } }: Pick<Config, 'backup'>) {
  return {
    /** @throws Error with a sentence. */
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

    /** @throws Error with a sentence. */
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
        // Only our own sentence about S3's answer is safe to show: another could repeat the address.
        const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
        const reason = message.startsWith('the S3 storage answered')
          ? message
          : `no answer (${cause?.code ?? 'none'})`;
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
