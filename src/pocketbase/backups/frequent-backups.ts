import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { FREQUENT, fileName, tidyFolder } from './backup-folder.ts';

export type FrequentBackupDeps = {
  folder: string;
  everyMs: number;
  /** Uses the key up: true for one of all processes. */
  takeOnce(key: string, until: Date): Promise<boolean>;
  /** Writes an encrypted backup to a new file, in one step. */
  write(path: string, now: Date): Promise<unknown>;
  /** Copies a backup to another place. */
  copy?: ((path: string) => Promise<void>) | undefined;
  clock: Clock;
  onMade(path: string): void;
  onFailed(error: unknown): void;
};

/**
 * Makes a backup in each period of `everyMs`, in one of all processes over a record store. Call it more often than
 * that. Never rejects: after one that failed, the next period's is made.
 */
export function createFrequentBackups(deps: FrequentBackupDeps): () => Promise<void> {
  const { folder, everyMs, clock } = deps;
  return async () => {
    const now = clock.now();
    try {
      const period = Math.floor(now.getTime() / everyMs);
      if (!(await deps.takeOnce(`frequent-backup:${period}`, now))) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await tidyFolder(folder, FREQUENT, now);
      const path = join(folder, fileName(FREQUENT, now));
      await deps.write(path, now);
      await tidyFolder(folder, FREQUENT, now);
      await deps.copy?.(path);
      deps.onMade(path);
    } catch (error) {
      deps.onFailed(error);
    }
  };
}
