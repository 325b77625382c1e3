import { hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { bech32 } from '@scure/base';
import { settingFault } from '../../settings/setting-reader.ts';
import { StartError } from '../../start-error.ts';

/**
 * The age identity that opens the backups made under this `SECRET_KEY`
 * (age-encryption.org/v1, "The X25519 recipient type").
 */
export function deriveIdentity(secretKey: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'otp-guard:backup:v1', 32));
  return bech32.encodeFromBytes('AGE-SECRET-KEY-', key).toUpperCase();
}

/** Whom a backup is encrypted for: `BACKUP_RECIPIENT`, or the identity of the current `SECRET_KEY`. */
export async function backupRecipient(
  recipient: string | undefined,
  [current]: readonly [string, ...string[]],
): Promise<string> {
  if (recipient !== undefined) return recipient;
  // Loaded when it's needed, because it's large.
  const { identityToRecipient } = await import('age-encryption');
  return identityToRecipient(deriveIdentity(current));
}

/**
 * The identities that may open a backup: those in `BACKUP_IDENTITY_FILE`, as
 * age-keygen writes it, and those of all keys in `SECRET_KEY`.
 *
 * @throws StartError if the file can't be read or has no identity.
 */
export async function backupIdentities(
  identityFile: string | undefined,
  secretKeys: readonly string[],
): Promise<string[]> {
  const given = identityFile === undefined ? [] : await readIdentities(identityFile);
  return [...given, ...secretKeys.map(deriveIdentity)];
}

async function readIdentities(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(wrongFile(`must name a file that OTP Guard can read (${error.code})`));
  });
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^AGE-SECRET-KEY-(PQ-)?1[A-Z0-9]+$/.test(line));
  if (identities.length === 0)
    throw new StartError(wrongFile('must name a file with an age identity, as age-keygen writes it'));
  return identities;
}

const wrongFile = (problem: string) => settingFault('BACKUP_IDENTITY_FILE', problem);
