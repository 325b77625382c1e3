import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../settings/config.ts';
import type { Guarded } from './check-rights.ts';

/** The file that holds settings, and the data of an embedded store with its keys. */
export async function listGuarded({ store }: Pick<Config, 'store'>): Promise<Guarded[]> {
  const data = store.kind === 'embedded' ? store.dataDir : null;
  const guarded = [
    { path: resolve('.env'), isSecret: true },
    ...(data === null
      ? []
      : [
          { path: data, isSecret: false },
          { path: join(data, 'secret.key'), isSecret: true },
          { path: join(data, 'running.json'), isSecret: true },
          { path: join(data, 'pocketbase'), isSecret: true },
        ]),
  ];
  return Promise.all(guarded.map(async (one) => ({ ...one, mode: await modeOf(one.path) })));
}

const modeOf = (path: string) =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => null,
  );

/** When the newest encrypted backup in these folders was written. */
export async function newestBackup(folders: string[]): Promise<Date | null> {
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
