// The certificates' library needs it first.
import 'reflect-metadata';
import { createHash, createSign, KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';

type Registration = { response: { clientDataJSON: string; attestationObject: string } };

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
const YEAR_MS = 365 * 24 * 60 * 60_000;
const validity = () => ({
  notBefore: new Date(Date.now() - YEAR_MS),
  notAfter: new Date(Date.now() + YEAR_MS),
});

/** A manufacturer of authenticators with a root of its own, which attests to registrations in the `packed` format. */
export async function createManufacturer() {
  const root = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test root, O=Test, C=SE',
    keys: root,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    /** PEM. */
    root: certificate.toString('pem'),
    /** The registration as an authenticator of this manufacturer; `named` is the AAGUID in its certificate, if any. */
    async attest<T extends Registration>(made: T, named: string | null): Promise<T> {
      const leaf = await newKeys();
      const aaguid = Buffer.from((named ?? '').replaceAll('-', ''), 'hex');
      const model = new x509.Extension(
        '1.3.6.1.4.1.45724.1.1.4',
        false,
        Buffer.concat([Buffer.from([4, 16]), aaguid]),
      );
      const signed = await x509.X509CertificateGenerator.create({
        subject: 'CN=Test key, OU=Authenticator Attestation, O=Test, C=SE',
        issuer: certificate.subject,
        publicKey: leaf.publicKey,
        signingKey: root.privateKey,
        signingAlgorithm: ALGORITHM,
        ...validity(),
        extensions: [new x509.BasicConstraintsExtension(false), ...(named === null ? [] : [model])],
      });
      const attestation = decodeAttestationObject(isoBase64URL.toBuffer(made.response.attestationObject));
      const authData = attestation.get('authData');
      const hash = createHash('sha256')
        .update(Buffer.from(made.response.clientDataJSON, 'base64url'))
        .digest();
      const sig = createSign('sha256')
        .update(Buffer.concat([authData, hash]))
        .sign(KeyObject.from(leaf.privateKey));
      const statement = new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(sig)],
        ['x5c', [new Uint8Array(signed.rawData)]],
      ]);
      const encoded = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'packed'],
          ['attStmt', statement],
          ['authData', authData],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return { ...made, response: { ...made.response, attestationObject: isoBase64URL.fromBuffer(encoded) } };
    },
  };
}
