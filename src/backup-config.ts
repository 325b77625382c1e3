import { bech32 } from '@scure/base';
import type { SettingReader } from './setting-reader.ts';

export type BackupConfig = {
  /** The age recipient that backups are encrypted for; undefined for the identity of `SECRET_KEY`. */
  recipient: string | undefined;
  /** The path of a file with age identities that open backups. */
  identityFile: string | undefined;
};

const EXAMPLE_RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

export const readBackupConfig = (settings: SettingReader): BackupConfig => ({
  recipient: settings.checked(
    'BACKUP_RECIPIENT',
    isRecipient,
    'must be an age recipient, as age-keygen prints it',
    EXAMPLE_RECIPIENT,
  ),
  identityFile: settings.text('BACKUP_IDENTITY_FILE'),
});

/** X25519, or its hybrid with post-quantum encryption. The checksum finds a typing error. */
function isRecipient(value: string): boolean {
  const decoded = bech32.decodeUnsafe(value, false);
  return decoded !== undefined && ['age', 'age1pq'].includes(decoded.prefix);
}
