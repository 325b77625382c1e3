import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/**
 * The keys that seal secrets at rest, the current one first: those of
 * `SECRET_KEY`, or the one in the embedded store's folder. That file is created
 * at the first start, readable by its owner only.
 *
 * @throws StartError if the file can't be created or is damaged.
 */
export function secretKeys(config: Pick<Config, 'secretKeys' | 'store'>): [string, ...string[]] {
  const [current, ...older] = config.secretKeys;
  if (current !== undefined) return [current, ...older];
  if (config.store.kind === 'external') throw new StartError('SECRET_KEY: is missing.');
  return [readOrCreateKey(join(config.store.dataDir, 'secret.key'))];
}

function readOrCreateKey(path: string): string {
  try {
    // `wx` fails if the file exists: of two processes that start together, the second reads the first one's key.
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(`The key file ${path} cannot be created.`);
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32)
    throw new StartError(`The key file ${path} is damaged. Replace it with the copy you kept.`);
  return key;
}
