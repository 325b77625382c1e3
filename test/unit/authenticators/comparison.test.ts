import { expect, it } from '@jest/globals';
import { comparisonOf } from '../../../src/authenticators/vouch/comparison.ts';

it('depends on the nonce, so that nobody can look for a key with certain digits', () => {
  const digitsOf = (nonce: string) => comparisonOf({ id: 'record', publicKey: 'AAAA', nonce });
  expect(digitsOf('one')).toBe(digitsOf('one'));
  // Two of four may be the same.
  expect(new Set(['one', 'two', 'three', 'four'].map(digitsOf)).size).toBeGreaterThan(2);
});

it('depends on the record’s id for a key without a nonce', () => {
  const digitsOf = (id: string) => comparisonOf({ id, publicKey: 'AAAA', nonce: '' });
  expect(new Set(['one', 'two', 'three', 'four'].map(digitsOf)).size).toBeGreaterThan(2);
});
