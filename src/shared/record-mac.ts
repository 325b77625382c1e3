import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { createDerivedKeys, type SecretKeys } from './derived-keys.ts';

/** Proves that this product wrote a record: without `SECRET_KEY`, nobody can write or change one. */
export type RecordMac = {
  /** @param fields Every field that decides, as JSON values. */
  sign(collection: string, id: string, fields: Record<string, unknown>): string;
  /** False if a field was changed, the record was copied from another, or its key isn't in `SECRET_KEY`. */
  verify(collection: string, id: string, fields: Record<string, unknown>, mac: string): boolean;
  /** Whether the MAC was made with the current key, and not with an older one. */
  isCurrent(mac: string): boolean;
};

const VERSION = 'v1';

/**
 * HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`, over the RFC
 * 8785 form of collection, id and fields. The result is `v1.keyid.mac`.
 */
export function createRecordMac(secretKeys: SecretKeys): RecordMac {
  const keys = createDerivedKeys(secretKeys, 'otp-guard:record-mac:v1');
  const macOf = (key: Buffer, collection: string, id: string, fields: Record<string, unknown>) => {
    const text = canonicalize({ v: VERSION, collection, id, fields });
    if (text === undefined) throw new Error('a record has no canonical form');
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    sign(collection, id, fields) {
      const current = keys.current();
      return `${VERSION}.${current.id}.${macOf(current.key, collection, id, fields).toString('base64url')}`;
    },
    verify(collection, id, fields, mac) {
      const [version, keyId = '', value = '', ...rest] = mac.split('.');
      const derived = keys.byId(keyId);
      if (version !== VERSION || rest.length > 0 || !derived) return false;
      const expected = Buffer.from(macOf(derived.key, collection, id, fields).toString('base64url'));
      const given = Buffer.from(value);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    isCurrent: (mac) => mac.split('.')[1] === keys.current().id,
  };
}
