import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A key and its own certificate for a host, valid for an hour: both in PEM. */
export async function certificateOf(host: string): Promise<{ key: string; cert: string }> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: `CN=${host}`, keys, signingAlgorithm: ALGORITHM },
    ...{ notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' });
  return { key: String(key), cert: certificate.toString('pem') };
}
