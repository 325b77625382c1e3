import { authenticatorMetadata } from '@passwordless-id/webauthn/dist/esm/authenticatorMetadata.js';
import { SettingsService } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/** The formats with a chain of certificates: WebAuthn Level 3, section 8. */
const FORMATS = ['packed', 'tpm', 'android-key', 'apple', 'fido-u2f'] as const;

/**
 * The extension `id-fido-gen-ce-aaguid`, 1.3.6.1.4.1.45724.1.1.4, up to its 16 bytes of AAGUID, in
 * DER: WebAuthn Level 3, section 8.2.1. It isn't critical, so nothing stands between OID and value.
 */
const AAGUID_EXTENSION = Buffer.from('060b2b0601040182e51c01010404120410', 'hex');

/**
 * Makes these the only roots that an attestation statement may chain to, in the
 * whole process: the library keeps them globally.
 *
 * @param certificates PEM; nothing changes if there are none.
 */
export function trustAttestationRoots(certificates: string[]): void {
  if (certificates.length === 0) return;
  for (const identifier of FORMATS) SettingsService.setRootCertificates({ identifier, certificates });
}

/**
 * Tells whether the certificate of a verified attestation statement names this AAGUID.
 * Without that, one vendor's root would vouch for each model of another, and a
 * statement that the key signed itself has no certificate.
 */
export function certifiesModel(attestationObject: Uint8Array<ArrayBuffer>, aaguid: string): boolean {
  const [leaf] = decodeAttestationObject(attestationObject).get('attStmt').get('x5c') ?? [];
  if (!leaf) return false;
  const named = Buffer.concat([AAGUID_EXTENSION, Buffer.from(aaguid.replaceAll('-', ''), 'hex')]);
  return Buffer.from(leaf).includes(named);
}

/** The AAGUID of an authenticator that doesn't reveal its model. */
const UNSPECIFIED = '00000000-0000-0000-0000-000000000000';

/** The name of an AAGUID's model, for display only: nobody verified it. Empty if it isn't known. */
export function modelOf(aaguid: string): string {
  const models: Record<string, string> = authenticatorMetadata;
  return aaguid === UNSPECIFIED ? '' : (models[aaguid] ?? '');
}
