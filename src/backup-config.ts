import { bech32 } from '@scure/base';
import type { SettingReader } from './setting-reader.ts';

export type BackupConfig = {
  /** The age recipient that backups are encrypted for; undefined for the identity of `SECRET_KEY`. */
  recipient: string | undefined;
  /** The path of a file with age identities that open backups. */
  identityFile: string | undefined;
};

export const readBackupConfig = (settings: SettingReader): BackupConfig => ({
  recipient: settings.checked(
    'BACKUP_RECIPIENT',
    isRecipient,
    'must be an age recipient, as age-keygen prints it',
  ),
  identityFile: settings.text('BACKUP_IDENTITY_FILE'),
});

/** X25519, or its hybrid with post-quantum encryption. The checksum finds a typing error. */
function isRecipient(value: string): boolean {
  const decoded = bech32.decodeUnsafe(value, false);
  return decoded !== undefined && ['age', 'age1pq'].includes(decoded.prefix);
}
