const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
/** After the hash of the relying party's id. */
const FLAGS_AT = 32;

/**
 * What an assertion's authenticator data (base64url) says: WebAuthn Level 3,
 * section 6.1. Nothing is verified here; if the flags are missing, both are
 * what counts for less.
 */
export function assertionFlags(authenticatorData: string): {
  userVerified: boolean;
  backupEligible: boolean;
} {
  const flags = Buffer.from(authenticatorData, 'base64url')[FLAGS_AT] ?? BACKUP_ELIGIBLE;
  return { userVerified: (flags & USER_VERIFIED) !== 0, backupEligible: (flags & BACKUP_ELIGIBLE) !== 0 };
}
