import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingReader } from './setting-reader.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The PEM certificates in the file that `ATTESTATION_ROOTS` names; none without the setting. */
export function readAttestationRoots(settings: SettingReader): string[] {
  const path = settings.text('ATTESTATION_ROOTS');
  if (path === undefined) return [];
  try {
    const certificates = readFileSync(resolve(path), 'utf8').match(CERTIFICATE) ?? [];
    if (certificates.length > 0 && certificates.every((pem) => new X509Certificate(pem))) return certificates;
  } catch {
    // The fault below says it.
  }
  settings.addFault(
    'ATTESTATION_ROOTS',
    'must name a readable file of PEM certificates',
    '/etc/otp-guard/attestation-roots.pem',
  );
  return [];
}
