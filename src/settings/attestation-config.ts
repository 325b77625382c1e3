import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingReader } from './setting-reader.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The PEM certificates in the file that `ATTESTATION_ROOTS` names; none without the setting. */
export function readAttestationRoots(settings: SettingReader): string[] {
  const path = settings.text('ATTESTATION_ROOTS');
  if (path === undefined) return [];
  const certificates = readCertificates(path);
  if (certificates.length === 0)
    settings.addFault('ATTESTATION_ROOTS', 'must name a readable file of PEM certificates');
  return certificates.map(({ pem }) => pem);
}

/**
 * Tells the operator about the roots that have expired: authenticators under them
 * don't count as verified. OTP Guard starts with them, because time alone mustn't stop it.
 */
export function findExpiredRoots(settings: SettingReader, now: Date): string[] {
  const path = settings.text('ATTESTATION_ROOTS');
  if (path === undefined) return [];
  const all = readCertificates(path);
  const expired = all.filter(({ validTo }) => validTo < now);
  if (expired.length === 0) return [];
  const days = expired.map(({ validTo }) => validTo.toISOString().slice(0, 10)).join(', ');
  return [
    `ATTESTATION_ROOTS: ${expired.length} of ${all.length} certificates expired (${days}), so nothing under them is verified. Replace them in the file`,
  ];
}

/** Empty if the file can't be read, or if one certificate in it is damaged. */
function readCertificates(path: string): { pem: string; validTo: Date }[] {
  try {
    const all = readFileSync(resolve(path), 'utf8').match(CERTIFICATE) ?? [];
    return all.map((pem) => ({ pem, validTo: new Date(new X509Certificate(pem).validTo) }));
  } catch {
    return [];
  }
}
