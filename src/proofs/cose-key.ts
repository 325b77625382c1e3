import { p256 } from '@noble/curves/nist.js';
import { bytesToNumberBE, inRange } from '@noble/curves/utils.js';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { equalBytes } from './bytes.ts';

/** The members of a COSE key: RFC 9052, section 7.1, RFC 9053, section 7.1.1, and RFC 8230, section 4. */
const [KTY, ALG, CRV, X, Y, N, E] = [1, 3, -1, -2, -3, -1, -2];
const [EC2, RSA, P256, ES256, RS256] = [2, 3, 1, -7, -257];

/** A modulus of 2048 to 8192 bits. No browser verifies with a longer one. */
const MODULI = [2n ** 2047n, 2n ** 8192n] as const;
/** An exponent of at most 4 bytes. No browser verifies with a longer one. */
const EXPONENTS = [65_537n, 2n ** 32n] as const;

/**
 * Tells whether OTP Guard accepts a COSE key: docs/statement.md, "Which keys count". Registration, each use of a key
 * and the verifiers of receipts all call it, so that no key is accepted and disbelieved later.
 *
 * The library that verifies signatures also takes weaker keys, and keys with something in or behind them.
 */
export function isKnownKey(cose: Uint8Array<ArrayBuffer>): boolean {
  try {
    const key: unknown = isoCBOR.decodeFirst(cose);
    return key instanceof Map && (isP256Key(key, cose) || isStrongRsaKey(key, cose));
  } catch {
    return false;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;
type CoseKey = ReadonlyMap<unknown, unknown>;

function isP256Key(key: CoseKey, cose: Bytes): boolean {
  const [x, y] = [key.get(X), key.get(Y)];
  if (!isBytes(x) || !isBytes(y)) return false;
  const form: [number, number | Bytes][] = [
    [KTY, EC2],
    [ALG, ES256],
    [CRV, P256],
    [X, x],
    [Y, y],
  ];
  return isEncoded(form, cose) && p256.utils.isValidPublicKey(Uint8Array.of(4, ...x, ...y), false);
}

function isStrongRsaKey(key: CoseKey, cose: Bytes): boolean {
  const [n, e] = [key.get(N), key.get(E)];
  if (!isBytes(n) || !isBytes(e)) return false;
  const form: [number, number | Bytes][] = [
    [KTY, RSA],
    [ALG, RS256],
    [N, n],
    [E, e],
  ];
  return isEncoded(form, cose) && isOddWithin(n, MODULI) && isOddWithin(e, EXPONENTS);
}

const isBytes = (value: unknown): value is Bytes => value instanceof Uint8Array;

/** Tells whether a key has these members in this order and nothing else, as CTAP 2 encodes it. */
const isEncoded = (form: [number, number | Bytes][], cose: Bytes) =>
  equalBytes(isoCBOR.encode(new Map(form)), cose);

/** Tells whether bytes are an odd number from the first up to but without the second, without a leading zero byte. */
function isOddWithin(bytes: Bytes, [from, to]: readonly [bigint, bigint]): boolean {
  const number = bytesToNumberBE(bytes);
  return bytes[0] !== 0 && number % 2n === 1n && inRange(number, from, to);
}
