import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';

export function sha256(input: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(input).digest());
}

export function sha256Base64url(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('base64url');
}

/** SHA-256, base64url, over the RFC 8785 form of a JSON value: equal for equal values, in any order of their members. */
export function sha256OfJson(value: unknown): string {
  const canonical = canonicalize(value);
  if (canonical === undefined) throw new Error('the value has no canonical form');
  return sha256Base64url(canonical);
}

/** The keys that protect what is stored, the current one first. Read at each use, because they can be rotated. */
export type SecretKeys = () => readonly [string, ...string[]];

/** A key for one purpose, and the id that names it in what it protects. */
type DerivedKey = { id: string; key: Buffer };

/**
 * Derives a key from each key of `SECRET_KEY` with HKDF-SHA-256 (RFC 5869).
 * Keys of different purposes say nothing about each other.
 */
export function createDerivedKeys(secretKeys: SecretKeys, purpose: string) {
  const known = new Map<string, DerivedKey>();
  const derive = (secretKey: string): DerivedKey => {
    const derived = known.get(secretKey) ?? deriveKey(secretKey, purpose);
    known.set(secretKey, derived);
    return derived;
  };
  return {
    /** The key for new things. */
    current: () => derive(secretKeys()[0]),
    /** A key that opens what it protected; undefined if no key of `SECRET_KEY` has this id. */
    byId: (id: string) =>
      secretKeys()
        .map(derive)
        .find((derived) => derived.id === id),
  };
}

function deriveKey(secretKey: string, purpose: string): DerivedKey {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
  return { key, id: Buffer.from(sha256(key)).toString('hex').slice(0, 8) };
}

const RECORDS = 'otp-guard:record-mac:v1';

/** Proves that this product wrote a record: without `SECRET_KEY`, nobody can write or change one. */
export type RecordMac = ReturnType<typeof createRecordMac>;

const VERSION = 'v1';

/**
 * HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`, over the RFC
 * 8785 form of collection, id and fields. The result is `v1.keyid.mac`.
 */
export function createRecordMac(secretKeys: SecretKeys, purpose = RECORDS) {
  const keys = createDerivedKeys(secretKeys, purpose);
  const macOf = (key: Buffer, collection: string, id: string, fields: Record<string, unknown>) => {
    const text = canonicalize({ v: VERSION, collection, id, fields });
    if (text === undefined) throw new Error('a record has no canonical form');
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    /** @param fields Every field that decides, as JSON values. */
    sign(collection: string, id: string, fields: Record<string, unknown>): string {
      const current = keys.current();
      return `${VERSION}.${current.id}.${macOf(current.key, collection, id, fields).toString('base64url')}`;
    },

    /** False if a field was changed, the record was copied from another, or its key isn't in `SECRET_KEY`. */
    verify(collection: string, id: string, fields: Record<string, unknown>, mac: string): boolean {
      const [version, keyId = '', value = '', ...rest] = mac.split('.');
      const derived = keys.byId(keyId);
      if (version !== VERSION || rest.length > 0 || !derived) return false;
      const expected = Buffer.from(macOf(derived.key, collection, id, fields).toString('base64url'));
      const given = Buffer.from(value);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },

    /** Tells whether the MAC names one of our keys. Only `verify` says whether that key made it. */
    isOfKnownKey: (mac: string) => keys.byId(mac.split('.')[1] ?? '') !== undefined,

    /** Tells whether the MAC was made with the current key, and not with an older one. */
    isCurrent: (mac: string) => mac.split('.')[1] === keys.current().id,
  };
}
