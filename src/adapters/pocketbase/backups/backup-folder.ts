import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BackupConfig } from '../../../settings/backup-config.ts';

/** One kind of backup that OTP Guard writes automatically. Its files have its label and their time, in UTC. */
type BackupKind = { label: string };

export const DAILY: BackupKind = { label: 'daily' };
/** Written before a store gets a newer schema, and kept apart from the daily ones. */
export const BEFORE_UPGRADE: BackupKind = { label: 'before-upgrade' };

/** Keep this many backups of each kind. */
const KEPT = 7;

/** Where `otp-guard backup` writes, and where OTP Guard writes automatically. */
export const backupFolders = ({ folder }: Pick<BackupConfig, 'folder'>): string[] => [
  ...new Set([resolve('backups'), folder ?? resolve('backups')]),
];

const HOUR_MS = 60 * 60 * 1000;
const ENDING = '.zip.age';

const stampOf = (time: Date) => time.toISOString().replace(/[:T.]/g, '-').replace('Z', '');

/** `otp-guard-daily-2026-11-21-04-00-00-000.zip.age`. */
export const fileName = ({ label }: BackupKind, time: Date) => `otp-guard-${label}-${stampOf(time)}${ENDING}`;

/** Tells whether the file is a whole backup of this kind: other files aren't ours to delete. */
function isOfKind({ label }: BackupKind, name: string): boolean {
  const rest = name.startsWith(`otp-guard-${label}-`) ? name.slice(`otp-guard-${label}-`.length) : '';
  return /^\d{4}(-\d\d){5}-\d{3}\.zip\.age$/.test(rest);
}

/** The names of the backups of this kind, oldest first; none if there's no such folder. */
export async function backupsIn(folder: string, kind: BackupKind): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => isOfKind(kind, name)).sort();
}

/** The names of a kind that are one too many, of those given. */
export const tooMany = (kind: BackupKind, names: readonly string[]): string[] =>
  names
    .filter((name) => isOfKind(kind, name))
    .sort()
    .slice(0, -KEPT);

/** Deletes the oldest backups of this kind, and what a process left that ended while it wrote one. */
export async function tidyFolder(folder: string, kind: BackupKind, now: Date): Promise<void> {
  const unfinished = `${fileName(kind, new Date(now.getTime() - HOUR_MS))}.part`;
  const isLeft = (name: string) =>
    name.endsWith('.part') && isOfKind(kind, name.slice(0, -'.part'.length)) && name < unfinished;
  const left = (await readdir(folder)).filter(isLeft);
  for (const name of [...tooMany(kind, await backupsIn(folder, kind)), ...left])
    await rm(join(folder, name), { force: true });
}

const digitsOf = (time: Date) => time.toISOString().replace(/[^0-9]/g, '');

/** The name of a backup inside a record store while it's created or restored. */
export const backupName = (now: Date) => `otp_guard_${digitsOf(now)}.zip`;

/** Tells whether `name` is one of ours, and older than a backup or restore takes: its process ended in the middle. */
export const isLeftover = (name: string, now: Date) =>
  name.startsWith('otp_guard_') && name < backupName(new Date(now.getTime() - HOUR_MS));
