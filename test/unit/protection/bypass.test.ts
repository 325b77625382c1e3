import { expect, it } from '@jest/globals';
import type { BranchRule, BypassActor } from '../../../src/contract/protection.ts';
import { bypassOf, requirementOf } from '../../../src/protection/bypass.ts';
import { ADMINISTRATORS, APP, branchProtection, OWNERS, ruleset, TEAM } from './rules.ts';

const around = (...rules: BranchRule[]) => bypassOf({ rulesets: rules, branchProtection: [] });
const found = (...rules: BranchRule[]) => {
  const bypass = around(...rules);
  return bypass && [bypass.state, ...bypass.actors.map(({ type, mode }) => `${type} ${mode}`)];
};
const listing = (...bypass: BypassActor[]) => ruleset({ bypass });
const another = (bypass: BypassActor[] | null) => branchProtection({ bypass });
const [NOBODY, HIDDEN] = [listing(), ruleset({ bypass: null })];

it.each<[string, BranchRule[], ReturnType<typeof found>]>([
  ['there is nothing to go around without a rule', [], null],
  ['a check from any source keeps nobody out', [ruleset({ isOurs: false })], null],
  ['a rule that is not enforced keeps nobody out', [ruleset({ state: 'notEnforced' })], null],
  ['an empty list lets nobody through', [NOBODY], ['nobody']],
  ['one empty list is enough', [listing(TEAM), another([])], ['nobody']],
  ['one empty list is enough next to a hidden one', [HIDDEN, another([])], ['nobody']],
  [
    'an empty list of a check from any source is not',
    [ruleset({ isOurs: false }), another([TEAM])],
    ['some', 'team pullRequest'],
  ],
  ['a list that GitHub hides is not empty', [HIDDEN], ['unknown']],
  ['a hidden list next to a known one stays unknown', [HIDDEN, another([ADMINISTRATORS])], ['unknown']],
  ['a list lets its actors through', [listing(TEAM, APP)], ['some', 'team pullRequest', 'app exempt']],
  [
    'two lists let through who is in both',
    [listing(TEAM, APP), another([ADMINISTRATORS, APP])],
    ['some', 'app exempt'],
  ],
  [
    'the stricter mode of two counts',
    [listing(APP), another([{ ...APP, mode: 'pullRequest' }])],
    ['some', 'app pullRequest'],
  ],
  ['owners are administrators', [listing(OWNERS), another([ADMINISTRATORS])], ['some', 'owners always']],
  [
    'the loosest way of one actor counts',
    [listing(OWNERS), another([{ ...OWNERS, mode: 'pullRequest' }, ADMINISTRATORS])],
    ['some', 'owners always'],
  ],
  ['two groups may have members in common', [listing(TEAM), another([ADMINISTRATORS])], ['unknown']],
])('%s', (_, rules, expected) => {
  expect(found(...rules)).toEqual(expected);
  expect(found(...rules.toReversed())?.[0]).toEqual(expected?.[0]);
});

const OPEN = ruleset({ needsPull: false });
const pulls = (bypass: BypassActor[] | null) =>
  ruleset({ id: 2, name: 'pulls', state: 'withoutCheck', bypass });

it.each<[string, BranchRule[], BranchRule[] | null, ReturnType<typeof found>]>([
  ['everybody who can push, where nothing requires a pull request', [OPEN], [], ['some', 'pushers always']],
  ['nobody, where another rule requires one', [OPEN, pulls([])], [], ['nobody']],
  ['nobody, if only a merge may bypass that rule', [OPEN, pulls([TEAM])], [], ['nobody']],
  ['who may bypass that rule', [OPEN, pulls([OWNERS])], [], ['some', 'owners always']],
  ['unknown, if that list is hidden', [OPEN, pulls(null)], [], ['unknown']],
  ['unknown, if branch protection is hidden, which may require one', [OPEN], null, ['unknown']],
  [
    'everybody, beside those whom the check lets through',
    [{ ...OPEN, bypass: [TEAM] }],
    [],
    ['some', 'team pullRequest', 'pushers always'],
  ],
  ['everybody, also if a list is hidden', [{ ...OPEN, bypass: null }], [], ['some', 'pushers always']],
])(
  'a push of a commit whose check passed elsewhere is open to %s',
  (_, rulesets, branchProtection, expected) => {
    const bypass = bypassOf({ rulesets, branchProtection });
    expect([bypass?.state, ...(bypass?.actors ?? []).map(({ type, mode }) => `${type} ${mode}`)]).toEqual(
      expected,
    );
    expect(bypass?.change.includes('Require a pull request before merging')).toBe(
      expected?.includes('pushers always') || branchProtection === null,
    );
  },
);

it('says which change closes it, and where', () => {
  expect(around(branchProtection({ bypass: [ADMINISTRATORS] }))).toMatchObject({
    change: 'Turn on “Do not allow bypassing the above settings” in the branch protection of main.',
    url: 'https://github.com/octo-org/hello/settings/branches',
  });
  expect(around(listing(TEAM, APP), another([TEAM]))?.url).toMatch(/branches$/);
  expect(around(listing(TEAM), ruleset({ id: 2, name: 'second', bypass: [TEAM, APP] }))?.change).toBe(
    'Remove octo-org/release from the bypass list of the ruleset main.',
  );
  expect(around(listing(TEAM, APP, OWNERS))?.change).toBe(
    'Remove octo-org/release, merge-bot, owners from the bypass list of the ruleset main.',
  );
  expect(around(HIDDEN)).toMatchObject({
    change: expect.stringContaining('an owner has to read it'),
    url: HIDDEN.url,
  });
  expect(around(NOBODY)).toEqual({
    ...{ state: 'nobody', actors: [], change: '', url: '' },
    rules: [{ source: 'repositoryRuleset', name: 'main', url: NOBODY.url }],
  });
});

it('lists at most 20 actors', () => {
  const many = Array.from({ length: 30 }, (_, id) => ({ ...TEAM, id, name: `team-${id}` }));
  expect(around(listing(...many))?.actors).toHaveLength(20);
});

const ANY_SOURCE = ruleset({ isOurs: false });

it.each([
  ['thisApp', [ruleset()], null],
  ['thisApp', [ANY_SOURCE], [branchProtection()]],
  ['anySource', [ANY_SOURCE], null],
  ['no', [], []],
  ['no', [ruleset({ state: 'removed' })], []],
  ['unknown', [], null],
  ['unknown', null, []],
  ['unknown', null, null],
])(
  'the requirement is %s for the rulesets %j and the branch protection %j',
  (expected, rulesets, protection) => {
    expect(requirementOf({ rulesets, branchProtection: protection })).toBe(expected);
  },
);
