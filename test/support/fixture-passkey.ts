import { createECDH, createHash, createPrivateKey, createPublicKey } from 'node:crypto';

/** The credential id of the passkey in `fixtures/stores`. */
export const FIXTURE_CREDENTIAL = createHash('sha256').update('the passkey of the fixtures').digest();

/** Its key pair, which comes from a text, so that no fixture has a key. */
export function fixtureKeys() {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(createHash('sha256').update('the key of the fixtures').digest());
  const [point, d] = [ecdh.getPublicKey(), ecdh.getPrivateKey('base64url')];
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d } as const;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
