import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import type { OddKey } from './authenticator.ts';

/** A COSE key whose members have these values. */
const coseOf = (values: unknown[], labels = [1, 3, -1, -2, -3]): OddKey['cose'] =>
  new Map(values.map((value, at) => [labels[at] ?? -at, value]));

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent });

/** The numbers of a public key: x and y of a point, or modulus and exponent. */
function numbersOf({ publicKey }: KeyPairKeyObjectResult): [Uint8Array, Uint8Array] {
  const { x, y, n = x, e = y } = publicKey.export({ format: 'jwk' });
  return [n, e].map((text = '') => new Uint8Array(Buffer.from(text, 'base64url'))) as never;
}

const signedBy = (pair: KeyPairKeyObjectResult, cose: OddKey['cose']): OddKey => ({
  cose,
  sign: (message) => sign('sha256', message, pair.privateKey),
});
const rsaKey = (pair: KeyPairKeyObjectResult) => signedBy(pair, coseOf([3, -257, ...numbersOf(pair)]));

/** RFC 8017, section 9.2: what a signature is before the private exponent, and with the exponent 1 also after it. */
function padded(message: Buffer, length: number): Buffer {
  const algorithm = Buffer.from('3031300d060960864801650304020105000420', 'hex');
  const digest = Buffer.concat([algorithm, createHash('sha256').update(message).digest()]);
  const filler = Buffer.alloc(length - digest.length - 3, 0xff);
  return Buffer.concat([Buffer.from([0, 1]), filler, Buffer.from([0]), digest]);
}

const [p256, p384, strong] = [ec('P-256'), ec('P-384'), rsa(2048)];
const [[x, y], [n, e]] = [numbersOf(p256), numbersOf(strong)];
const afterZero = (number: Uint8Array) => Uint8Array.of(0, ...number);

/** Keys that OTP Guard refuses. Most of their signatures verify in WebAuthn libraries. */
export const ODD_KEYS: Record<string, OddKey> = {
  'RSA with the exponent 1': {
    cose: coseOf([3, -257, n, Uint8Array.of(1)]),
    sign: (message) => padded(message, n.length),
  },
  'RSA with the exponent 3': rsaKey(rsa(2048, 3)),
  'RSA of 512 bits': rsaKey(rsa(512)),
  'RSA of 2040 bits': signedBy(strong, coseOf([3, -257, Uint8Array.of(255, ...n.slice(2)), e])),
  'RSA with a zero before its modulus': signedBy(strong, coseOf([3, -257, afterZero(n), e])),
  'RSA with a zero before its exponent': signedBy(strong, coseOf([3, -257, n, afterZero(e)])),
  'RSA with an even modulus': signedBy(strong, coseOf([3, -257, n.with(-1, 2), e])),
  'RSA with an even exponent': signedBy(strong, coseOf([3, -257, n, Uint8Array.of(1, 0, 2)])),
  'RSA with an exponent of 5 bytes': signedBy(strong, coseOf([3, -257, n, Uint8Array.of(1, 0, 0, 0, 1)])),
  'RSA of 8200 bits': signedBy(strong, coseOf([3, -257, new Uint8Array(1025).fill(255), e])),
  'RSA as ES256': signedBy(strong, coseOf([3, -7, n, e])),
  'P-256 as RS256': signedBy(p256, coseOf([2, -257, 1, x, y])),
  'P-256 as RSA': signedBy(p256, coseOf([3, -7, 1, x, y])),
  'ES256 over P-384': signedBy(p384, coseOf([2, -7, 2, ...numbersOf(p384)])),
  'a compressed point': signedBy(p256, coseOf([2, -7, 1, x, (y.at(-1) ?? 0) % 2 === 1])),
  'a point that isn’t on the curve': signedBy(p256, coseOf([2, -7, 1, y, x])),
  'a point of zeros': signedBy(p256, coseOf([2, -7, 1, new Uint8Array(32), new Uint8Array(32)])),
  'a point in lists': signedBy(p256, coseOf([2, -7, 1, [...x], [...y]])),
  'a point after a zero': signedBy(p256, coseOf([2, -7, 1, afterZero(x), y])),
  'a key with another member': signedBy(p256, coseOf([2, -7, 1, x, y, 'id'], [1, 3, -1, -2, -3, 2])),
  'a key in another order': signedBy(p256, coseOf([-7, 2, 1, x, y], [3, 1, -1, -2, -3])),
};

/** Keys at the edges of what OTP Guard accepts. */
export const EDGE_KEYS: Record<string, OddKey> = {
  ES256: signedBy(p256, coseOf([2, -7, 1, x, y])),
  'RSA of 2048 bits': signedBy(strong, coseOf([3, -257, n, e])),
  'RSA of 2049 bits': signedBy(strong, coseOf([3, -257, Uint8Array.of(1, ...n), e])),
  'RSA with the exponent 65539': signedBy(strong, coseOf([3, -257, n, Uint8Array.of(1, 0, 3)])),
  'RSA with an exponent of 4 bytes': signedBy(
    strong,
    coseOf([3, -257, n, Uint8Array.of(255, 255, 255, 255)]),
  ),
  'RSA of 8192 bits': signedBy(strong, coseOf([3, -257, new Uint8Array(1024).fill(255), e])),
};
