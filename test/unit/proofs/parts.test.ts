import { describe, expect, it } from '@jest/globals';
import { readLoggedCommits } from '../../../src/cli/audit.ts';
import { isBounded } from '../../../src/proofs/bounds.ts';
import { makeLeaf, openEntry } from '../../../src/proofs/leaf.ts';
import { isTopLevel, parseClientData } from '../../../src/proofs/verify-statement.ts';
import { TestLog } from '../../support/test-log.ts';

describe('an entry of the log', () => {
  const log = new TestLog();
  log.add('vouch');
  log.add('vouch');
  const [entry, other] = log.entries;
  if (!entry || !other) throw new Error('nothing was written');

  it('opens what its leaf commits to, at its own place', () => {
    expect(openEntry(entry)?.event.number).toBe(1);
    expect(openEntry({ ...entry, number: 2 })).toBeNull();
  });

  it('isn’t opened if its leaf isn’t in its canonical form', () => {
    expect(openEntry({ ...entry, leaf: ` ${entry.leaf}` })).toBeNull();
  });

  it('isn’t opened with a salt that is shorter than the one it was made with', () => {
    const short = Buffer.alloc(31, 1);
    const salts = { event: Buffer.concat([short, Buffer.alloc(1)]).toString('base64url'), person: null };
    const { event } = entry;
    if (!event) throw new Error('no event was written');
    const whole = { event, person: { data: {}, facts: {} } };
    const person = Buffer.alloc(32, 2).toString('base64url');
    const leaf = makeLeaf(whole, { event: salts.event, person });
    const made = { number: 1, leaf, ...whole, salts: { ...salts, person } };
    expect(openEntry(made)).not.toBeNull();
    const cut = { event: short.toString('base64url'), person };
    expect(openEntry({ ...made, salts: cut })).toBeNull();
  });
});

it('a file is too deep from 41 levels on', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  expect([isBounded(nested(40), 1_000), isBounded(nested(41), 1_000)]).toEqual([true, false]);
});

it.each([
  ['our own page', {}, true],
  ['our own page, said explicitly', { crossOrigin: false }, true],
  ['a frame', { crossOrigin: true }, false],
  ['something else than a boolean', { crossOrigin: 'no' }, false],
  ['a page that is named as the one above', { topOrigin: 'https://evil.example' }, false],
])('a ceremony in %s', (_where, members, isTop) => {
  const json = JSON.stringify({ type: 'webauthn.get', challenge: 'AAAA', ...members });
  const data = parseClientData(Buffer.from(json).toString('base64url'));
  expect(data && isTopLevel(data)).toBe(isTop);
});

it('the commits of a repository are found in whatever case its name was logged', () => {
  const entry = (repo: string, sha: string) => ({ event: { data: { sha: sha.repeat(40), repo } } });
  const entries = [entry('Hello', 'a'), entry('hello', 'b'), entry('world', 'c')];
  expect(readLoggedCommits([{ entries }], 'hello')).toEqual(['a'.repeat(40), 'b'.repeat(40)]);
});
