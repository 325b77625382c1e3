import { isAbsolute, join } from 'node:path';
import type { SettingReader } from './setting-reader.ts';

/** A bucket of S3, or of anything that speaks its API. */
export type S3Config = {
  /** An https origin; http only on loopback. */
  endpoint: string;
  /** Undefined if the endpoint's host name says it, as Amazon's do. */
  region: string | undefined;
  bucket: string;
  /** The beginning of the names of our objects: empty, or it ends with a slash. */
  prefix: string;
  keyId: string;
  secret: string;
};

export type BackupConfig = ReturnType<typeof readBackupConfig>;

/** @param dataDir The embedded store's folder, if there's one. */
export function readBackupConfig(settings: SettingReader, dataDir: string | undefined) {
  const [folder, s3] = [readFolder(settings, dataDir), readS3(settings)];
  if (s3 && !folder)
    settings.addFault('BACKUP_DIR', 'must be a folder with BACKUP_S3_URL, which copies the backups in it');
  return {
    /** The folder of the daily backups; null if OTP Guard makes none. */
    folder,
    /** The bucket that they are copied to; null if they aren't. */
    s3,
  };
}

/** It needn't be writable now: a backup that fails never keeps OTP Guard from working. */
function readFolder(settings: SettingReader, dataDir: string | undefined): string | null {
  // Relative, it would depend on where a command is started.
  const isFolder = (value: string) => value === 'off' || isAbsolute(value);
  const folder = settings.folder('BACKUP_DIR', isFolder, 'must be an absolute path, or off');
  if (folder === 'off') return null;
  return folder ?? (dataDir === undefined ? null : join(dataDir, 'backups'));
}

const BUCKET_AND_PREFIX = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?((?:[\w-]+\/)*)$/;
const REGION = /^(?:\?region=([a-z0-9-]+))?$/;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function readS3(settings: SettingReader): S3Config | null {
  const text = settings.text('BACKUP_S3_URL');
  if (text === undefined) return null;
  const s3 = URL.canParse(text) ? parseS3(new URL(text)) : null;
  if (s3 === null)
    settings.addFault('BACKUP_S3_URL', 'must be an https URL with a key, its secret, a bucket and folders');
  return s3;
}

/** Null if it names no bucket, or no key: nobody else may write there. */
function parseS3(url: URL): S3Config | null {
  const { protocol, hostname, host, pathname, search, hash } = url;
  // Signed requests show names and the key's id to everybody on the way.
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  const [, bucket, prefix = ''] = BUCKET_AND_PREFIX.exec(pathname) ?? [];
  const region = REGION.exec(search);
  const [keyId, secret] = [decoded(url.username), decoded(url.password)];
  if (!isSafe || !bucket || !keyId || !secret || !region || hash) return null;
  return { endpoint: `${protocol}//${host}`, region: region[1], bucket, prefix, keyId, secret };
}

/** Empty if it's not encoded right. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
