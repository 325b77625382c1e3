import { hkdfSync } from 'node:crypto';
import { bech32 } from '@scure/base';

/**
 * The age identity that opens the backups made under this `SECRET_KEY`
 * (age-encryption.org/v1, "The X25519 recipient type").
 */
export function deriveIdentity(secretKey: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'otp-guard:backup:v1', 32));
  return bech32.encodeFromBytes('AGE-SECRET-KEY-', key).toUpperCase();
}

/** The age recipient that a backup under this `SECRET_KEY` is encrypted for. */
export async function backupRecipient(secretKey: string): Promise<string> {
  // Loaded when it's needed, because it's large.
  const { identityToRecipient } = await import('age-encryption');
  return identityToRecipient(deriveIdentity(secretKey));
}
