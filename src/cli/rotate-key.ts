import { setTimeout as delay } from 'node:timers/promises';
import { reencryptBackups } from '../adapters/pocketbase/backups/age-file.ts';
import { backupFolders } from '../adapters/pocketbase/backups/backup-folder.ts';
import { backupRecipient, deriveIdentity } from '../adapters/pocketbase/backups/backup-identity.ts';
import { upgradeStore } from '../adapters/pocketbase/backups/write-backup.ts';
import { findProduct } from '../adapters/pocketbase/process/process-marker.ts';
import { rotateRecords } from '../adapters/pocketbase/rotate-records.ts';
import type { Config } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { newSecretKey, replaceKeyFile, secretKeys } from '../shared/secret-key.ts';
import { type Command, type Printing, runCommand } from './run-command.ts';

type Keys = [string, ...string[]];

/** A running product sees the new key file immediately; what it was saving with the old key is saved by then. */
const SETTLE_MS = 3_000;

/**
 * `otp-guard rotate-key`: seals everything again under a new key, so that the old
 * one can go. Works while the product runs, and continues where it stopped.
 */
export const rotateKey = (printing: Printing) => runCommand('The rotation', rotate, printing);

async function rotate({ config, client }: Command): Promise<object> {
  await upgradeStore(client, config, config.github);
  const keys = config.secretKeys.length > 0 ? configuredKeys(config) : await keysOfFile(config);
  const rotated = {
    rotated: true,
    records: await rotateRecords(client, () => keys),
    backups: await rotateBackups(config, keys),
  };
  if (config.secretKeys.length > 0)
    return { ...rotated, next: 'Remove the old key from SECRET_KEY and restart OTP Guard.' };
  if (config.store.kind === 'embedded') replaceKeyFile(config.store.dataDir, [keys[0]]);
  return { ...rotated, next: 'Make a backup now: restoring an older one needs the old key.' };
}

/** Encrypts every backup again for the current key. Running it again is safe. */
async function rotateBackups({ backup }: Config, keys: Keys) {
  const identities = keys.map(deriveIdentity);
  const recipient = await backupRecipient(keys[0]);
  const done = { reencrypted: [] as string[], unopened: [] as string[] };
  for (const folder of backupFolders(backup)) {
    const { reencrypted, unopened } = await reencryptBackups(folder, { identities, recipient });
    done.reencrypted.push(...reencrypted);
    done.unopened.push(...unopened);
  }
  return done;
}

function configuredKeys(config: Config): Keys {
  const [current, ...older] = config.secretKeys;
  if (current === undefined || older.length === 0)
    throw new StartError(
      'SECRET_KEY: put a new key in front (SECRET_KEY=new,old), restart every OTP Guard, then run this command with the same setting.',
    );
  return [current, ...older];
}

/** Puts a new key into the key file, unless an earlier rotation that didn't finish has done so. */
async function keysOfFile(config: Config): Promise<Keys> {
  const [current, ...older] = secretKeys(config);
  if (older.length > 0 || config.store.kind === 'external') return [current, ...older];
  const keys: Keys = [newSecretKey(), current];
  const isRunning = findProduct(config.store.dataDir) !== null;
  replaceKeyFile(config.store.dataDir, keys);
  if (isRunning) await delay(SETTLE_MS);
  return keys;
}
