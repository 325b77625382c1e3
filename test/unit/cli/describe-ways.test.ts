import { expect, it } from '@jest/globals';
import { describeWays } from '../../../src/cli/describe-ways.ts';
import type { Way } from '../../../src/protection/ways.ts';

const exempt = { type: 'app', id: 9, name: 'the App merger', mode: 'exempt' } as const;
const way = (repo: string, changes: Partial<Way> = {}): Way => ({
  ...{ kind: 'bypass', repo, who: 'the App merger', how: 'They may bypass main.', why: 'Nobody sees it.' },
  ...{ actors: [exempt], change: 'Remove it.', url: 'https://github.com' },
  ...changes,
});
const NOTHING = { ways: [], changes: [], unread: [], changers: [] };
const plain = { columns: 80, hasColors: false };
const RED = '\u001B[31;1m';

it('writes who is exempt in red, only where there are colours', () => {
  const found = { ...NOTHING, ways: [way('hello')] };
  expect(describeWays('octo-org', found, { ...plain, hasColors: true })).toContain(
    `${RED}     EXEMPT: the App merger`,
  );
  expect(describeWays('octo-org', found, plain)).toContain('\n     EXEMPT: the App merger\n');
  const always = way('hello', { actors: [{ ...exempt, mode: 'always' }] });
  const text = describeWays('octo-org', { ...NOTHING, ways: [always] }, { ...plain, hasColors: true });
  expect(text).not.toContain('EXEMPT');
});

it('lists a way of many repositories once, in lines of 80 columns', () => {
  const names = Array.from({ length: 30 }, (_, index) => `repository-${index}`);
  const ways = [...names.map((name) => way(name)), way('last', { who: 'owners' })];
  const changes = [
    { change: 'Remove all.', url: 'https://github.com', closes: ways.map((_, index) => index) },
  ];
  const text = describeWays('octo-org', { ...NOTHING, ways, changes }, { columns: 200, hasColors: false });
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/repository-19,\s+and 10 more: the App merger/);
  expect(text).toContain('  2. last: owners');
  expect(text).toContain('Closes 1, 2.');
  expect(text).toMatch(/Found 31 ways/);
});

it('says that there is none only if everything could be read', () => {
  expect(describeWays('octo-org', NOTHING, plain)).toMatch(/^No way around an approval in octo-org/);
  const unread = { ...NOTHING, unread: ['hello: its rulesets.'] };
  expect(describeWays('octo-org', unread, plain)).toMatch(/There may be more/);
  expect(describeWays('octo-org', unread, plain)).not.toContain('No way');
});

it('shows no control characters of a name', () => {
  const text = describeWays(
    'octo-org',
    { ...NOTHING, ways: [way('hello', { who: 'key \u001B[2J\u202E' })] },
    plain,
  );
  expect(text).not.toMatch(/[\p{Cf}]/u);
  expect(text).not.toContain('\u001B');
});
