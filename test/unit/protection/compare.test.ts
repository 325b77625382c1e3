import { describe, expect, it } from '@jest/globals';
import { branchProtectionName } from '../../../src/contract/protection-words.ts';
import { bypassOf } from '../../../src/protection/bypass.ts';
import { compareAccount, compareRepository, sentLists, undoes } from '../../../src/protection/compare.ts';
import type { AccountProtection, FoundChange, RepositoryProtection } from '../../../src/protection/ports.ts';
import { MOMENTS, STATES, type State } from '../../../src/protection/states.ts';
import { ADMINISTRATORS, APP, account, branchProtection, repository, ruleset, TEAM } from './rules.ts';

const compare = (before: RepositoryProtection | null, after: RepositoryProtection) =>
  compareRepository('hello', before, after);
const short = ({ change: { isWeaker, kind, subject }, person }: FoundChange) =>
  `${isWeaker ? '-' : '+'} ${kind}: ${subject || person?.login}`;
const changed = (before: RepositoryProtection, after: RepositoryProtection) =>
  compare(before, after).changes.map(short);

const PULLS = ruleset({ id: 2, name: 'pulls', state: 'withoutCheck' });
const KEY = { id: 3, title: 'deploy' };

describe('a repository', () => {
  it.each<[string, Partial<RepositoryProtection>, Partial<RepositoryProtection>, string[]]>([
    ['the same', {}, {}, []],
    ['a rule that is gone', {}, { rulesets: [] }, ['checkNotRequired: main']],
    [
      'a rule without the check',
      {},
      { rulesets: [ruleset({ state: 'withoutCheck' })] },
      ['checkNotRequired: main'],
    ],
    [
      'a rule that is not enforced',
      {},
      { rulesets: [ruleset({ state: 'notEnforced' })] },
      ['ruleNotActive: main'],
    ],
    [
      'a rule that covers less',
      {},
      { rulesets: [ruleset({ state: 'elsewhere' })] },
      ['ruleCoversLess: main'],
    ],
    ['a deleted rule', {}, { rulesets: [ruleset({ state: 'removed' })] }, ['protectionRemoved: main']],
    ['another default branch', {}, { defaultBranch: 'dev', rulesets: [] }, ['ruleCoversLess: main']],
    ['a check from any source', {}, { rulesets: [ruleset({ isOurs: false })] }, ['checkFromAnySource: main']],
    ['no pull request', {}, { rulesets: [ruleset({ needsPull: false })] }, ['pullRequestNotRequired: main']],
    [
      'a rule that required only a pull request and is gone',
      { rulesets: [ruleset(), PULLS] },
      {},
      ['pullRequestNotRequired: pulls'],
    ],
    [
      'an actor of a rule that requires only a pull request',
      { rulesets: [ruleset(), PULLS] },
      { rulesets: [ruleset(), { ...PULLS, bypass: [APP] }] },
      ['bypassAdded: merge-bot in pulls'],
    ],
    ['an actor', {}, { rulesets: [ruleset({ bypass: [TEAM] })] }, ['bypassAdded: octo-org/release in main']],
    [
      'a looser mode',
      { rulesets: [ruleset({ bypass: [TEAM] })] },
      { rulesets: [ruleset({ bypass: [{ ...TEAM, mode: 'exempt' }] })] },
      ['bypassLoosened: octo-org/release in main'],
    ],
    [
      'administrators who are free',
      { branchProtection: [branchProtection()] },
      { branchProtection: [branchProtection({ bypass: [ADMINISTRATORS] })] },
      ['administratorsFree: administrators in the branch protection of main'],
    ],
    [
      'no branch protection',
      { branchProtection: [branchProtection()] },
      {},
      ['protectionRemoved: the branch protection of main'],
    ],
    ['a deploy key', {}, { deployKeys: [KEY] }, ['deployKeyAdded: deploy']],
  ])('%s: the weakening, and the strengthening that undoes it', (_, before, after, expected) => {
    const [one, other] = [repository(before), repository(after)];
    const weaker = compare(one, other);
    expect(weaker.changes.map(short)).toEqual(expected.map((text) => `- ${text}`));
    const stronger = compare(weaker.known, { ...one, rulesets: one.rulesets });
    expect(stronger.changes.map(short)).toEqual(expected.map((text) => `+ ${text}`));
    for (const [index, change] of stronger.changes.entries())
      expect(undoes(change, weaker.changes[index] as FoundChange)).toBe(true);
  });

  it('finds no change in a first reading, nor of a part that is readable for the first time', () => {
    const open = repository({ rulesets: [ruleset({ bypass: [APP] })], deployKeys: [KEY] });
    expect(compare(null, open)).toEqual({ changes: [], known: open, now: open });
    const unread = repository({ rulesets: null, branchProtection: null, deployKeys: null });
    expect(compare(unread, open).changes).toEqual([]);
    expect(compare(repository({ rulesets: [ruleset({ bypass: null })] }), open).changes.map(short)).toEqual([
      '- deployKeyAdded: deploy',
    ]);
  });

  const parts = ['rulesets', 'branchProtection', 'deployKeys', 'bypass', 'updated'] as const;
  const combinations = Array.from({ length: 2 ** parts.length }, (_, bits) =>
    parts.filter((__, index) => bits & (1 << index)),
  );
  const known = repository({
    rulesets: [ruleset({ bypass: [TEAM] })],
    branchProtection: [branchProtection({ bypass: [ADMINISTRATORS] })],
    deployKeys: [KEY],
  });

  it.each(combinations.map((unread) => [unread]))('no alarm, and no better verdict, without %j', (unread) => {
    const has = (part: (typeof parts)[number]) => !unread.includes(part);
    const rule = ruleset({
      bypass: has('bypass') ? [TEAM] : null,
      ...(!has('updated') && { updated: '2026-11-02T00:00:00Z' }),
    });
    const reading = repository({
      rulesets: has('rulesets') ? [rule] : null,
      branchProtection: has('branchProtection') ? known.branchProtection : null,
      deployKeys: has('deployKeys') ? [KEY] : null,
    });
    const result = compare(known, reading);
    expect(result.changes).toEqual([]);
    expect(bypassOf(result.now)?.state).not.toBe('nobody');
    // A part that wasn't readable is still known, so that the next reading notices a change.
    const weaker = repository({
      rulesets: [ruleset({ bypass: [TEAM, APP], updated: '2026-11-03T00:00:00Z' })],
      branchProtection: [],
      deployKeys: [KEY, { id: 4, title: 'second' }],
    });
    expect(changed(result.known, weaker)).toEqual([
      '- bypassAdded: merge-bot in main',
      '- protectionRemoved: the branch protection of main',
      '- deployKeyAdded: second',
    ]);
  });

  it('keeps a list that GitHub hides only as long as the ruleset did not change', () => {
    const hidden = (updated: string) => repository({ rulesets: [ruleset({ bypass: null, updated })] });
    const stateOf = (reading: RepositoryProtection) => bypassOf(reading)?.state;
    const first = compare(repository(), hidden('2026-11-01T00:00:00Z'));
    expect(stateOf(first.now)).toBe('nobody');
    const changedSince = compare(first.known, hidden('2026-11-02T00:00:00Z'));
    expect(stateOf(changedSince.now)).toBe('unknown');
    expect(stateOf(compare(changedSince.known, hidden('2026-11-02T00:00:00Z')).now)).toBe('unknown');
  });

  it('notices who was added while a rule was off, even if the rule was created again', () => {
    const off = compare(repository(), repository({ rulesets: [ruleset({ state: 'removed' })] }));
    const again = repository({ rulesets: [ruleset({ id: 2, bypass: [APP] })] });
    expect(changed(off.known, again)).toEqual([
      '+ protectionRemoved: main',
      '- bypassAdded: merge-bot in main',
    ]);
  });

  it('takes a second rule of the same name for a new one', () => {
    const both = repository({ rulesets: [ruleset(), ruleset({ id: 2, bypass: [APP] })] });
    expect(changed(repository(), both)).toEqual(['+ checkNotRequired: main']);
  });

  describe('with the lists that an owner read', () => {
    const hidden = repository({ rulesets: [ruleset({ bypass: null })] });
    const [T1, T2] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];
    const SAID = { by: 1, at: T2 };
    const sent = (updated: string, bypass = [TEAM]) => ({
      rulesets: [{ id: 1, updated, bypass, said: SAID }],
    });
    const news = (known: RepositoryProtection, { rulesets }: ReturnType<typeof sent>) =>
      sentLists(known, rulesets);

    it.each([
      ['the same ruleset', hidden, sent(T1), true],
      ['an older ruleset', hidden, sent('2026-10-01T00:00:00Z'), false],
      ['another ruleset', hidden, { rulesets: [{ id: 2, updated: T1, bypass: [], said: SAID }] }, false],
      ['a list that is known', repository(), sent(T1), false],
      ['a list that is known of an older ruleset', repository(), sent(T2), true],
    ])('has news of %s, or none', (_of, known, baseline, expected) => {
      expect(news(known, baseline)).toEqual({ hasNews: expected, sent: expected ? baseline.rulesets : [] });
    });

    it('keeps what was sent before, and while GitHub doesn’t show the rulesets', () => {
      const other = { id: 2, updated: T1, bypass: [], said: SAID };
      const known = { ...hidden, sent: [other] };
      expect(news(known, sent(T1)).sent).toEqual([other, ...sent(T1).rulesets]);
      expect(compare(known, repository({ rulesets: null })).known.sent).toEqual([other]);
    });
  });

  it("names the repository, except in a change of the organization's ruleset", () => {
    const ofOrg = (changes: object) =>
      repository({ rulesets: [ruleset({ source: 'organizationRuleset', ...changes })] });
    expect(compare(repository(), repository({ rulesets: [] })).changes[0]?.change.repo).toBe('hello');
    expect(compare(ofOrg({}), ofOrg({ state: 'notEnforced' })).changes[0]?.change).not.toHaveProperty('repo');
    expect(compare(ofOrg({}), ofOrg({ bypass: [TEAM] })).changes[0]?.change).not.toHaveProperty('repo');
    expect(compare(ofOrg({}), ofOrg({ state: 'elsewhere' })).changes[0]?.change.repo).toBe('hello');
  });
});

const selecting = (...names: string[]): Partial<AccountProtection> => ({
  repositorySelection: 'selected',
  repositories: names.map((name, id) => ({ id, name })),
});

/** Stored weakenings and signed log entries have these: other words belong into `contract/protection-words.ts`. */
const IN_RECORDS = {
  ...{ active: 'requires the check', notEnforced: "isn't enforced", removed: 'is deleted' },
  ...{ elsewhere: "doesn't cover the default branch", withoutCheck: "doesn't require the check" },
  ...{ noRule: 'no such rule', ourSource: 'from this App', anySource: 'from any source' },
  ...{ pullNeeded: 'requires a pull request', pullNotNeeded: "doesn't require a pull request" },
  ...{ exempt: 'is exempt, without an audit entry', always: 'may always bypass' },
  ...{ pullRequest: 'may bypass in pull requests', noBypass: "can't bypass" },
  ...{ key: 'can write', noKey: 'no such key', owner: 'owner', noOwner: 'no owner' },
  ...{ appRemoved: 'removed', appInstalled: 'installed', appSuspended: 'suspended', appActive: 'active' },
};
const MOMENTS_IN_RECORDS = {
  checkNotRequired: "didn't require the check for a moment",
  pullRequestNotRequired: "didn't require a pull request for a moment",
  ruleNotActive: "wasn't enforced for a moment",
  protectionRemoved: 'was deleted for a moment',
  administratorsFree: 'could bypass for a moment',
};

it('never renames a state in records', () => {
  const namesOf = (states: Record<string, State>) =>
    Object.fromEntries(Object.entries(states).map(([code, [, name]]) => [code, name]));
  expect(namesOf(STATES)).toMatchObject(IN_RECORDS);
  expect(namesOf(MOMENTS)).toMatchObject(MOMENTS_IN_RECORDS);
  expect(branchProtectionName('main')).toBe('the branch protection of main');
});

describe('an account', () => {
  it.each<[string, Partial<AccountProtection>, Partial<AccountProtection>, string[]]>([
    ['the same', {}, {}, []],
    [
      'a new owner',
      {},
      {
        owners: [
          { id: 1, login: 'octocat' },
          { id: 2, login: 'hubot' },
        ],
      },
      ['ownerAdded: hubot'],
    ],
    ['an owner with another login', {}, { owners: [{ id: 1, login: 'monalisa' }] }, []],
    [
      'less permission',
      {},
      { permissions: { checks: 'read', members: 'read' } },
      ['permissionsReduced: checks'],
    ],
    ['no permission', {}, { permissions: { checks: 'write' } }, ['permissionsReduced: members']],
    ['selected repositories', {}, { repositorySelection: 'selected' }, ['repositoriesReduced: repositories']],
    [
      'fewer selected repositories',
      selecting('world', 'hello'),
      selecting('world'),
      ['repositoriesReduced: hello'],
    ],
    [
      'no repository of many',
      selecting(...Array.from({ length: 22 }, (_, index) => `r${index}`)),
      selecting(),
      [
        ...Array.from({ length: 20 }, (_, index) => `repositoriesReduced: r${index}`),
        'repositoriesReduced: 2 other repositories',
      ],
    ],
    ['a suspended App', {}, { isSuspended: true }, ['appSuspended: OTP Guard']],
    [
      'a removed App',
      {},
      { isRemoved: true, owners: null, permissions: null, repositorySelection: null, repositories: null },
      ['appRemoved: OTP Guard'],
    ],
  ])('%s: the weakening, and the strengthening', (_, before, after, expected) => {
    const [one, other] = [account(before), account(after)];
    const weaker = compareAccount(one, other);
    expect(weaker.changes.map(short)).toEqual(expected.map((text) => `- ${text}`));
    expect(compareAccount(weaker.known, one).changes.map(short)).toEqual(expected.map((text) => `+ ${text}`));
  });

  it('finds no change in what GitHub does not show, and still knows it', () => {
    const unread = account({
      owners: null,
      permissions: null,
      repositorySelection: null,
      repositories: null,
    });
    expect(compareAccount(account(), unread)).toEqual({ changes: [], known: account() });
    expect(compareAccount(unread, account()).changes).toEqual([]);
    expect(compareAccount(null, account({ isSuspended: true })).changes).toEqual([]);
  });
});
