import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/**
 * The keys that seal secrets at rest: `SECRET_KEY`, where the first of several
 * is the current one; else the key that was made beside the embedded record
 * store at its first start, readable to its owner alone.
 *
 * @throws StartError where the key's file cannot be read or made.
 */
export function secretKeys(config: Pick<Config, 'secretKeys' | 'store'>): [string, ...string[]] {
  const [current, ...older] = config.secretKeys;
  if (current !== undefined) return [current, ...older];
  if (config.store.kind === 'external') throw new StartError('SECRET_KEY: is missing.');
  const path = join(config.store.dataDir, 'secret.key');
  try {
    // `wx` makes it once: of two processes that start together, the second reads what the first made.
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(`The key file ${path} cannot be made.`);
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new StartError(`The key file ${path} is damaged: restore it from your backup.`);
  return [key];
}
