import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createDerivedKeys, type SecretKeys } from '../shared/crypto.ts';

/** Encrypts secrets for the record store, and decrypts them. */
export type Sealer = {
  /** `context` names the record that the secret is stored in; `open` needs the same one. */
  seal(secret: Uint8Array, context: string): string;
  /** @throws Error if the text was changed, or sealed for another context or with an unknown key. */
  open(sealed: string, context: string): Uint8Array;
};

const VERSION = 'v1';

/**
 * Seals with AES-256-GCM under a key derived from `SECRET_KEY`. The result is
 * `v1.keyid.nonce.text.tag`, the last three in base64url. The first key seals
 * and each of them opens, so that an operator can replace a key.
 */
export function createSealer(secretKeys: SecretKeys): Sealer {
  const keys = createDerivedKeys(secretKeys, 'otp-guard:seal:v1');

  return {
    seal(secret, context) {
      const current = keys.current();
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      const parts = [nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return [VERSION, current.id, ...parts].join('.');
    },
    open(sealed, context) {
      const [version, id = '', nonce = '', text = '', tag = ''] = sealed.split('.');
      const derived = keys.byId(id);
      if (version !== VERSION || !derived)
        throw new Error('a secret is sealed with a key that is not in SECRET_KEY');
      const decipher = createDecipheriv('aes-256-gcm', derived.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return new Uint8Array(
        Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]),
      );
    },
  };
}
