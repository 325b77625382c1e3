import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { sha256 } from '../sha256.ts';

/** Closes secrets for the record store and opens them again. */
export type Sealer = {
  /** `place` names where the secret stands; it opens there and nowhere else. */
  seal(secret: Uint8Array, place: string): string;
  /** @throws Error where the text was changed, moved, or sealed with a key that is not here. */
  open(sealed: string, place: string): Uint8Array;
};

const VERSION = 'v1';

/**
 * AES-256-GCM under a key derived from `SECRET_KEY`, as `v1.keyid.nonce.text.tag`
 * in base64url. The first key seals; each of them opens, so that keys can be
 * changed one after the other.
 */
export function createSealer(secretKeys: readonly [string, ...string[]]): Sealer {
  const derive = (secretKey: string) => {
    const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'otp-guard:seal:v1', 32));
    return { key, id: Buffer.from(sha256(key)).toString('hex').slice(0, 8) };
  };
  const current = derive(secretKeys[0]);
  const keys = new Map(secretKeys.map(derive).map(({ id, key }) => [id, key]));

  return {
    seal(secret, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      const parts = [nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return [VERSION, current.id, ...parts].join('.');
    },
    open(sealed, place) {
      const [version, id = '', nonce = '', text = '', tag = ''] = sealed.split('.');
      const key = keys.get(id);
      if (version !== VERSION || !key)
        throw new Error('a secret is sealed with a key that is not in SECRET_KEY');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return new Uint8Array(
        Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]),
      );
    },
  };
}
