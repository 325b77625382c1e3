import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import { StartError } from './app-error.ts';
import type { SecretKeys } from './crypto.ts';

type KeyConfig = Pick<Config, 'secretKeys' | 'store'>;

/**
 * The keys of `SECRET_KEY`, or those in the embedded store's folder: that file
 * is created at the first start, readable by its owner only.
 *
 * @throws StartError if the file can't be created or is damaged.
 */
export function secretKeys(config: KeyConfig): [string, ...string[]] {
  const [current, ...older] = config.secretKeys;
  if (current !== undefined) return [current, ...older];
  if (config.store.kind === 'external') throw new StartError('SECRET_KEY: is missing.');
  return readOrCreateKeys(keyFile(config.store.dataDir));
}

/** Like `secretKeys`, and notices when `rotate-key` replaces the file. */
export function createSecretKeys(config: KeyConfig): SecretKeys {
  let keys = secretKeys(config);
  if (config.secretKeys.length > 0 || config.store.kind === 'external') return () => keys;
  const path = keyFile(config.store.dataDir);
  let seen = versionOf(path);
  return () => {
    const version = versionOf(path);
    // A file that is gone changes nothing: what is stored still needs its keys.
    if (version !== null && version !== seen) keys = readOrCreateKeys(path);
    seen = version ?? seen;
    return keys;
  };
}

/** Puts these keys into the embedded store's key file, in one step. */
export function replaceKeyFile(dataDir: string, keys: readonly [string, ...string[]]): void {
  const path = keyFile(dataDir);
  writeFileSync(`${path}.part`, keys.join(','), { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** @throws EEXIST if the file exists. */
function createWhole(path: string, content: string): void {
  const draft = `${path}.${randomUUID()}.part`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft);
  }
}

export const newSecretKey = (): string => randomBytes(32).toString('base64url');

export const hasKeyFile = (dataDir: string): boolean => existsSync(keyFile(dataDir));

const keyFile = (dataDir: string) => join(dataDir, 'secret.key');

function versionOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.mtimeMs}:${found.size}` : null;
}

function readOrCreateKeys(path: string): [string, ...string[]] {
  try {
    // Of two processes that start together, the second finds the first one's key, and finds it whole.
    if (!existsSync(path)) createWhole(path, newSecretKey());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new StartError(
        `The key file ${path} cannot be created (${code}). Is its disk full or read-only?`,
      );
  }
  const [current = '', ...older] = readFileSync(path, 'utf8').trim().split(',');
  if ([current, ...older].some((key) => key.length < 32))
    throw new StartError(`The key file ${path} is damaged. Replace it with the copy you kept.`);
  return [current, ...older];
}
