import { hkdfSync } from 'node:crypto';
import { sha256 } from './crypto.ts';

/** The keys that protect what is stored, the current one first. Read at each use, because they can be rotated. */
export type SecretKeys = () => readonly [string, ...string[]];

/** A key for one purpose, and the id that names it in what it protects. */
export type DerivedKey = { id: string; key: Buffer };

/** The keys of one purpose: new things use the current one, and older ones still open what they protected. */
export type DerivedKeys = {
  current(): DerivedKey;
  /** Undefined if no key of `SECRET_KEY` has this id. */
  byId(id: string): DerivedKey | undefined;
};

/**
 * Derives a key from each key of `SECRET_KEY` with HKDF-SHA-256 (RFC 5869).
 * Keys of different purposes say nothing about each other.
 */
export function createDerivedKeys(secretKeys: SecretKeys, purpose: string): DerivedKeys {
  const known = new Map<string, DerivedKey>();
  const derive = (secretKey: string): DerivedKey => {
    const derived = known.get(secretKey) ?? deriveKey(secretKey, purpose);
    known.set(secretKey, derived);
    return derived;
  };
  return {
    current: () => derive(secretKeys()[0]),
    byId: (id) =>
      secretKeys()
        .map(derive)
        .find((derived) => derived.id === id),
  };
}

function deriveKey(secretKey: string, purpose: string): DerivedKey {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
  return { key, id: Buffer.from(sha256(key)).toString('hex').slice(0, 8) };
}
