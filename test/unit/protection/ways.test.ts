import { expect, it } from '@jest/globals';
import { findWays, type ReadOrganization, type ReadRepository } from '../../../src/protection/ways.ts';
import { ADMINISTRATORS, APP, branchProtection, OWNERS, repository, ruleset, TEAM } from './rules.ts';

const repo = (
  name: string,
  changes: Partial<ReadRepository['protection']> = {},
  idle: ReadRepository['idle'] = [],
) => ({
  name,
  idle,
  protection: repository(changes),
});
const read = (repositories: ReadRepository[], changes: Partial<ReadOrganization> = {}): ReadOrganization => ({
  org: 'octo-org',
  githubUrl: 'https://github.com',
  appId: 7,
  hasOrganizationRulesets: false,
  repositories,
  apps: [
    {
      id: 7,
      slug: 'otp-guard',
      contents: undefined,
      isSuspended: false,
      hasAllRepositories: true,
      canChangeRules: false,
      url: '',
    },
  ],
  owners: ['octocat'],
  bypassingRoles: [],
  unread: [],
  ...changes,
});
const NONE = { rulesets: [], branchProtection: [] };

it.each<[string, ReadOrganization, string[]]>([
  ['nothing, where nobody may bypass', read([repo('a')]), []],
  [
    'nothing, where one of two rules binds everybody',
    read([repo('a', { branchProtection: [branchProtection({ bypass: [ADMINISTRATORS] })] })]),
    [],
  ],
  ['a repository without the check', read([repo('a', NONE)]), ['notRequired a: Everybody who can write']],
  [
    'a check from any source',
    read([repo('a', { rulesets: [ruleset({ isOurs: false })] })]),
    ['anySource a: Everybody and every App that can write statuses or checks'],
  ],
  [
    'those in a bypass list',
    read([repo('a', { rulesets: [ruleset({ bypass: [TEAM, APP] })] })]),
    ['bypass a: octo-org/release (in pull requests) and merge-bot (exempt)'],
  ],
  [
    'a push without a pull request',
    read([repo('a', { rulesets: [ruleset({ needsPull: false })] })]),
    ['push a: Everybody who can push'],
  ],
  [
    'a push by who may bypass the rule that requires a pull request',
    read([
      repo('a', {
        rulesets: [
          ruleset({ needsPull: false }),
          ruleset({ id: 2, name: 'pulls', state: 'withoutCheck', bypass: [OWNERS] }),
        ],
      }),
    ]),
    ['push a: owners'],
  ],
  [
    'both, where a rule has a bypass list and requires no pull request',
    read([repo('a', { rulesets: [ruleset({ needsPull: false, bypass: [TEAM] })] })]),
    ['bypass a: octo-org/release (in pull requests)', 'push a: Everybody who can push'],
  ],
  [
    'administrators, and custom roles with them',
    read(
      [
        repo('a', {
          rulesets: [],
          branchProtection: [
            branchProtection({
              bypass: [{ ...ADMINISTRATORS, people: { total: 5, logins: ['a', 'b', 'c', 'd', 'e'] } }],
            }),
          ],
        }),
      ],
      { bypassingRoles: ['Releaser'] },
    ),
    ['bypass a: administrators (a, b, c, and 2 more) and people with the role Releaser'],
  ],
  [
    'no custom role where administrators are bound',
    read([repo('a', { rulesets: [], branchProtection: [branchProtection()] })], {
      bypassingRoles: ['Releaser'],
    }),
    [],
  ],
  [
    'two lists that may have people in common',
    read([repo('a', { rulesets: [ruleset({ bypass: [TEAM] }), ruleset({ id: 2, bypass: [OWNERS] })] })]),
    ['bypass a: Whoever is in the bypass lists of all rules'],
  ],
  [
    'a deploy key that can write',
    read([repo('a', { deployKeys: [{ id: 1, title: 'ci' }] })]),
    ['deployKey a: The deploy key ci'],
  ],
  [
    'an App that can write, unless it is suspended or can only read',
    read([repo('a')], {
      apps: [
        {
          id: 1,
          slug: 'one',
          contents: 'write',
          isSuspended: false,
          hasAllRepositories: true,
          canChangeRules: false,
          url: '',
        },
        {
          id: 2,
          slug: 'two',
          contents: 'write',
          isSuspended: true,
          hasAllRepositories: true,
          canChangeRules: false,
          url: '',
        },
        {
          id: 3,
          slug: 'three',
          contents: 'read',
          isSuspended: false,
          hasAllRepositories: true,
          canChangeRules: false,
          url: '',
        },
      ],
    }),
    ['app null: The App one'],
  ],
])('lists %s', (_, organization, expected) => {
  const { ways, changes, unread } = findWays(organization);
  expect(ways.map(({ kind, repo: name, who }) => `${kind} ${name}: ${who}`)).toEqual(expected);
  expect(unread).toEqual([]);
  expect(changes.flatMap(({ closes }) => closes).toSorted()).toEqual(ways.map((_way, index) => index));
});

it.each<[string, ReadOrganization, number]>([
  ['rulesets', read([repo('a', { rulesets: null, branchProtection: [] })]), 0],
  ['branch protection', read([repo('a', { rulesets: [], branchProtection: null })]), 0],
  ['a bypass list', read([repo('a', { rulesets: [ruleset({ bypass: null })] })]), 0],
  [
    'the bypass list of the rule that requires a pull request',
    read([
      repo('a', {
        rulesets: [
          ruleset({ needsPull: false }),
          ruleset({ id: 2, name: 'pulls', state: 'withoutCheck', bypass: null }),
        ],
      }),
    ]),
    0,
  ],
  [
    'whether branch protection requires a pull request',
    read([repo('a', { rulesets: [ruleset({ needsPull: false })], branchProtection: null })]),
    0,
  ],
  ['deploy keys', read([repo('a', { deployKeys: null })]), 0],
  ['what is not active', read([repo('a', NONE, null)]), 1],
  ['Apps', read([repo('a')], { apps: null }), 0],
  ['owners', read([repo('a')], { owners: null }), 0],
  ['something else', read([repo('a')], { unread: ['The list of repositories.'] }), 0],
])('says that it could not read %s', (_, organization, ways) => {
  const found = findWays(organization);
  expect(found.ways).toHaveLength(ways);
  expect(found.unread).toHaveLength(1);
});

it('needs no list of other rules where one binds everybody', () => {
  const { unread } = findWays(read([repo('a', { branchProtection: null }, null)]));
  expect(unread).toEqual([]);
});

const ofOrganization = (changes: object = {}) =>
  ruleset({
    source: 'organizationRuleset',
    id: 9,
    name: 'all',
    bypass: [TEAM],
    url: 'https://all',
    ...changes,
  });

it('closes with the fewest changes, an existing rule before a new one', () => {
  const repositories = [
    repo('a', { rulesets: [ruleset({ id: 1, bypass: [APP] })] }),
    repo('b', { rulesets: [ofOrganization()] }),
    repo('c', { rulesets: [ofOrganization()] }),
    repo('d', NONE, [ofOrganization({ id: 8, name: 'idle', state: 'notEnforced' })]),
    repo('e', NONE),
  ];
  const changes = findWays(read(repositories)).changes.map(({ change, closes }) => [closes, change]);
  expect(changes).toEqual([
    [[1, 2], 'Remove octo-org/release from the bypass list of the ruleset all.'],
    [[0], 'Remove merge-bot from the bypass list of the ruleset main.'],
    [[3], 'Set the ruleset idle to Active for the default branch of d, with an empty bypass list.'],
    [
      [4],
      expect.stringMatching(
        /^Require the check OTP Guard from the App 7 and a pull request on the default branch of e,/,
      ),
    ],
  ]);
  const all = findWays(read(repositories, { hasOrganizationRulesets: true })).changes;
  expect(all).toEqual([
    {
      change: expect.stringMatching(/^Import the organization’s ruleset/),
      url: 'https://github.com/organizations/octo-org/settings/rules',
      closes: [0, 1, 2, 3, 4],
    },
  ]);
  const selected = findWays(read(repositories, { hasOrganizationRulesets: true, apps: [] })).changes;
  expect(selected[0]?.change).toMatch(/^Let OTP Guard see all repositories first/);
  const two = findWays(read(repositories.slice(1, 3), { hasOrganizationRulesets: true })).changes;
  expect(two).toMatchObject([{ closes: [0, 1], url: 'https://all' }]);
});

it('lets the ruleset that nobody may bypass require a pull request', () => {
  const rulesets = [
    ruleset({ needsPull: false, bypass: [TEAM] }),
    ofOrganization({ needsPull: false, bypass: [] }),
  ];
  const found = findWays(read([repo('a', { rulesets }), repo('b', { rulesets })]));
  expect(found.changes).toEqual([
    {
      change:
        'Choose “Require a pull request before merging” in the ruleset all, with 0 approvals if you need none.',
      url: 'https://all',
      closes: [0, 1],
    },
  ]);
});

it('lets a ruleset cover the default branch that leaves it out', () => {
  const [way] = findWays(read([repo('a', NONE, [ruleset({ state: 'elsewhere' })])])).ways;
  expect(way).toMatchObject({
    how: 'The ruleset main requires the check, but it leaves main out.',
    change: 'Let the ruleset main cover the default branch of a.',
    url: 'https://github.com/octo-org/hello/rules/1',
  });
});

it('names who can change the rules, which is no way', () => {
  const app = {
    id: 5,
    slug: 'terraform',
    contents: 'read',
    hasAllRepositories: true,
    isSuspended: false,
    url: '',
  };
  const apps = [
    { ...app, canChangeRules: true },
    { ...app, slug: 'suspended', isSuspended: true, canChangeRules: true },
  ];
  const { ways, changers } = findWays(read([repo('a')], { apps }));
  expect({ ways, changers }).toEqual({ ways: [], changers: ['the owner octocat', 'the App terraform'] });
});
