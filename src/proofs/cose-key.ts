import { isoCBOR } from '@simplewebauthn/server/helpers';
import { equalBytes } from './equal-bytes.ts';

/** The members of a COSE key: RFC 9052, section 7.1, and RFC 9053, section 7.1. */
const [KTY, ALG, CRV, X, Y] = [1, 3, -1, -2, -3];
const [EC2, RSA, P256, ES256, RS256] = [2, 3, 1, -7, -257];

/**
 * Whether a COSE key is one that OTP Guard registers, ES256 on P-256 or RS256, in the one form in which it's stored.
 * The library that verifies signatures also takes weaker algorithms, and keys with something behind them.
 */
export function isKnownKey(cose: Uint8Array<ArrayBuffer>): boolean {
  const key: unknown = isoCBOR.decodeFirst(cose);
  if (!(key instanceof Map) || !equalBytes(isoCBOR.encode(key), cose)) return false;
  const [kty, alg] = [key.get(KTY), key.get(ALG)];
  if (kty === RSA) return alg === RS256;
  return (
    kty === EC2 && alg === ES256 && key.get(CRV) === P256 && [X, Y].every((at) => isCoordinate(key.get(at)))
  );
}

const isCoordinate = (value: unknown) => value instanceof Uint8Array && value.length === 32;
