import { isAbsolute, join } from 'node:path';
import { bech32 } from '@scure/base';
import type { SettingReader } from './setting-reader.ts';

/** A bucket of S3, or of anything that speaks its API. */
export type S3Config = {
  /** An https origin; http only on loopback. */
  endpoint: string;
  region: string;
  bucket: string;
  /** What the names of our objects begin with: empty, or it ends with a slash. */
  prefix: string;
  keyId: string;
  secret: string;
};

export type BackupConfig = {
  /** The age recipient that backups are encrypted for; undefined for the identity of `SECRET_KEY`. */
  recipient: string | undefined;
  /** The path of a file with age identities that open backups. */
  identityFile: string | undefined;
  /** Where OTP Guard writes backups by itself; null if it doesn't. */
  folder: string | null;
  /** How often it writes one in addition to the daily ones; null if it doesn't. */
  everyMs: number | null;
  /** Where it copies them to; null if it doesn't. */
  s3: S3Config | null;
};

/** @param dataDir The embedded store's folder, if there's one. */
export const readBackupConfig = (settings: SettingReader, dataDir: string | undefined): BackupConfig => ({
  recipient: settings.checked(
    'BACKUP_RECIPIENT',
    isRecipient,
    'must be an age recipient, as age-keygen prints it',
  ),
  identityFile: settings.text('BACKUP_IDENTITY_FILE'),
  ...readAutomatic(settings, dataDir),
  s3: readS3(settings),
});

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** In minutes. A backup copies the whole store, and nothing is written meanwhile. */
const MOST_OFTEN = 5;
const LEAST_OFTEN = 720;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function readS3(settings: SettingReader): S3Config | null {
  const endpoint = settings.checked('BACKUP_S3_ENDPOINT', isSafeOrigin, 'must be an https origin');
  const isValid = (pattern: RegExp) => (value: string) => pattern.test(value);
  const region = settings.checked('BACKUP_S3_REGION', isValid(/^[a-z0-9-]+$/), 'must be a region');
  const prefix = settings.checked('BACKUP_S3_PREFIX', isValid(/^([\w-]+\/)+$/), 'must end with a slash');
  const bucket = settings.checked('BACKUP_S3_BUCKET', isValid(BUCKET), "must be a bucket's name");
  if (endpoint === undefined) return null;
  if (settings.text('BACKUP_S3_BUCKET') === undefined) settings.addMissing('BACKUP_S3_BUCKET');
  return {
    endpoint: new URL(endpoint).origin,
    region: region ?? 'us-east-1',
    bucket: bucket ?? '',
    prefix: prefix ?? '',
    keyId: settings.required('BACKUP_S3_KEY_ID'),
    secret: settings.required('BACKUP_S3_SECRET'),
  };
}

/** Signed requests show names and the key's id to everybody on the way. */
function isSafeOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, origin, href } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  return isSafe && href === `${origin}/`;
}

/** It needn't be writable now: a backup that fails never keeps OTP Guard from working. */
function readAutomatic(
  settings: SettingReader,
  dataDir: string | undefined,
): Pick<BackupConfig, 'folder' | 'everyMs'> {
  const isChoice = (value: string) => value === 'on' || value === 'off' || intervalOf(value) !== null;
  const choice = settings.checked('AUTO_BACKUPS', isChoice, 'must be on, off, or 5m to 720m') ?? 'on';
  // Relative, it would depend on where a command is started.
  const given = settings.checked('BACKUP_DIR', isAbsolute, 'must be an absolute path');
  if (choice === 'off') return { folder: null, everyMs: null };
  const folder = given ?? (dataDir === undefined ? null : join(dataDir, 'backups'));
  return { folder, everyMs: intervalOf(choice) };
}

/** Null if it's no number of minutes in our limits. */
function intervalOf(value: string): number | null {
  const minutes = /^[1-9]\d{0,2}m$/.test(value) ? Number.parseInt(value, 10) : 0;
  return minutes >= MOST_OFTEN && minutes <= LEAST_OFTEN ? minutes * 60_000 : null;
}

/** X25519, or its hybrid with post-quantum encryption. The checksum finds a typing error. */
function isRecipient(value: string): boolean {
  const decoded = bech32.decodeUnsafe(value, false);
  return decoded !== undefined && ['age', 'age1pq'].includes(decoded.prefix);
}
