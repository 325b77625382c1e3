import { describe, expect, it } from '@jest/globals';
import { createSealer } from '../../../src/authenticators/seal.ts';

const OLD = 'an-old-key-of-at-least-thirty-two-characters';
const NEW = 'the-new-key-of-at-least-thirty-two-characters';
const secret = new TextEncoder().encode('a secret of sixteen');
const text = Buffer.from(secret);

describe('a sealed secret', () => {
  it('opens in the context it was sealed for, and is a new text each time', () => {
    const sealer = createSealer(() => [NEW]);
    const [one, two] = [sealer.seal(secret, 'here'), sealer.seal(secret, 'here')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}$/);
    expect(Buffer.from(sealer.open(one, 'here'))).toEqual(text);
  });

  it('opens in no other context, and not if a single character was changed', () => {
    const sealer = createSealer(() => [NEW]);
    const sealed = sealer.seal(secret, 'here');
    expect(() => sealer.open(sealed, 'there')).toThrow();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      // The last character of a base64url part can hold bits that mean nothing.
      const bytes = (sealedText: string) =>
        sealedText
          .split('.')
          .map((part) => Buffer.from(part, 'base64url').toString('hex'))
          .join('.');
      const isPadding = bytes(changed) === bytes(sealed);
      if (!isPadding) expect(() => sealer.open(changed, 'here')).toThrow();
    }
  });

  it('opens with an older key that is still configured, and with no other', () => {
    const sealed = createSealer(() => [OLD]).seal(secret, 'here');
    const rotated = createSealer(() => [NEW, OLD]);
    expect(Buffer.from(rotated.open(sealed, 'here'))).toEqual(text);
    expect(
      createSealer(() => [NEW])
        .seal(secret, 'here')
        .split('.')[1],
    ).toBe(rotated.seal(secret, 'here').split('.')[1]);
    expect(() => createSealer(() => [NEW]).open(sealed, 'here')).toThrow('not in SECRET_KEY');
  });
});
