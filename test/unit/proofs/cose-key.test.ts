import { describe, expect, it } from '@jest/globals';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { isKnownKey } from '../../../src/proofs/cose-key.ts';
import type { OddKey } from '../../support/authenticator.ts';
import { EDGE_KEYS, ODD_KEYS } from '../../support/odd-keys.ts';

const encode = ({ cose }: OddKey) =>
  new Uint8Array(isoCBOR.encode(new Map(cose) as Parameters<typeof isoCBOR.encode>[0]));

describe('a public key', () => {
  it.each(Object.entries(EDGE_KEYS))('is accepted if it is %s', (_what, key) => {
    expect(isKnownKey(encode(key))).toBe(true);
  });

  it.each(Object.entries(ODD_KEYS))('is refused if it is %s', (_what, key) => {
    expect(isKnownKey(encode(key))).toBe(false);
  });

  it.each<[string, (good: number[]) => number[]]>([
    ['nothing', () => []],
    ['no CBOR', () => [0xff, 0xff]],
    ['no map', () => [0x01]],
    ['cut', (good) => good.slice(0, -1)],
    ['followed by a byte', (good) => [...good, 0]],
    ['of longer numbers than necessary', ([first = 0, ...rest]) => [first, 0x18, ...rest]],
    ['of no fixed length', ([, ...rest]) => [0xbf, ...rest, 0xff]],
  ])('is refused if its bytes are %s', (_what, change) => {
    const good = encode(EDGE_KEYS.ES256 as OddKey);
    expect(isKnownKey(Uint8Array.from(change([...good])))).toBe(false);
  });
});
