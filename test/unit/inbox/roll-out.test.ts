import { expect, it } from '@jest/globals';
import type { OrganizationMember } from '../../../src/contract/organization.ts';
import { organizationRollOut } from '../../../src/inbox/roll-out.ts';
import { codeOf } from '../../support/code-of.ts';
import { aWaitingPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { octocat, world } from './world.ts';

const NO_KINDS = { passkey: 0, securityKey: 0, totp: 0 };
const aMember = (id: number, login: string, kinds: Partial<OrganizationMember['kinds']> = {}) =>
  ({
    ...{ id, login, kinds: { ...NO_KINDS, ...kinds }, enrolled: Object.keys(kinds).length > 0 },
    ...{ role: login === 'octocat' ? 'admin' : 'member', pending: false, hasAddress: false, reminded: null },
  }) as OrganizationMember;
const MEMBERS = [aMember(2, 'mona', { totp: 1 }), aMember(3, 'octocat', { passkey: 1 }), aMember(4, 'dana')];

async function rollOut(...pulls: Parameters<typeof aWaitingPull>[0][]) {
  const w = await world();
  w.members.set(9, octocat.githubId, 'admin');
  Object.assign(w.org, { membersAt: new Date() });
  w.wait(...pulls.map(aWaitingPull));
  const page = { members: MEMBERS, total: MEMBERS.length };
  const repositories = [
    { name: 'hello', required: 'thisApp' as const },
    { name: 'web', required: 'no' as const },
  ].map((one, id) => ({
    ...one,
    id,
    defaultBranch: 'main',
    bypass: null,
    environments: null,
    checked: null,
  }));
  const deps = {
    ...w,
    organizations: Object.assign(w.organizations, { byOrgId: async () => w.org }),
    memberships: Object.assign(w.memberships, { list: async () => page }),
    repositoryChecks: { list: async () => ({ matches: 2, repositories }) },
  };
  return { w, read: () => organizationRollOut(deps, { session: octocat, orgID: 9 }) };
}

const lack = (change: object = {}) => ({
  ...{ rule: '', missing: 'More.', lacking: 1, counted: [], excluded: [] },
  ...change,
});

it('counts what waits in each repository, those without the check first', async () => {
  const { read } = await rollOut(
    { pr: 1, repoName: 'hello' },
    { pr: 2, repoName: 'hello' },
    { pr: 3, repoName: 'web' },
  );
  const { finding, repositories } = await read();
  expect(finding).toMatchObject({ status: 'attention', about: { waiting: 3, unblocked: 1 } });
  expect(repositories.map(({ name, required, waiting }) => [name, required, waiting])).toEqual([
    ['web', 'no', 1],
    ['hello', 'thisApp', 2],
  ]);
});

it.each<[what: string, stuck: number, rules: object[], lacks: object[]]>([
  ['exactly one is left who could', 0, [], [lack({ excluded: [3] })]],
  ['both who could are the author and have approved', 1, [], [lack({ counted: [2], excluded: [3] })]],
  [
    'more are missing than have an authenticator',
    1,
    [{ approvals: 3 }],
    [lack({ rule: 'rule 1', lacking: 3 })],
  ],
  ['a login without an authenticator is named', 1, [{ from: ['Dana'] }], [lack({ rule: 'rule 1' })]],
  ['the only one has no passkey', 1, [{ from: ['mona'], methods: ['passkey'] }], [lack({ rule: 'rule 1' })]],
  ['a team could give it', 0, [{ from: ['@octo-org/security'] }], [lack({ rule: 'rule 1' })]],
  [
    'outside collaborators could give it',
    0,
    [{ from: ['collaborators'], approvals: 5 }],
    [lack({ rule: 'rule 1', lacking: 5 })],
  ],
  ['the only owner is excluded', 1, [{ from: ['owners'] }], [lack({ rule: 'rule 1', excluded: [3] })]],
  ['a rule is gone', 0, [], [lack({ rule: 'gone', lacking: 9 })]],
])('knows how many nobody could approve if %s', async (_what, stuck, rules, lacks) => {
  const { w, read } = await rollOut({ lacks: lacks as never });
  w.policies.policy = aPolicy(rules.map((require) => ({ require })));
  expect((await read()).repositories.map((one) => one.stuck)).toEqual([stuck]);
});

it('lists members without an authenticator who opened what waits or are asked to review it', async () => {
  const { read } = await rollOut(
    { pr: 1, author: 'DANA' },
    { pr: 2, author: 'mona', reviewers: { people: [4, 3], teams: [] } },
  );
  const { people, rules } = await read();
  expect(people).toEqual([
    { id: 4, login: 'dana', opened: 1, asked: 1, pending: false, hasAddress: false, reminded: null },
  ]);
  expect(rules).toEqual([{ name: '', waiting: 2 }]);
});

it('claims nothing about people where GitHub has no list of members, and answers owners only', async () => {
  const { w, read } = await rollOut({ lacks: [lack({ lacking: 9 })] });
  const unknown = { finding: { about: { stuck: null } }, repositories: [{ stuck: null }] };
  Object.assign(w.org, { membersAt: null });
  expect(await read()).toMatchObject({ ...unknown, people: 'notReadYet' });
  Object.assign(w.org, { accountType: 'User' });
  expect(await read()).toMatchObject({ ...unknown, people: 'personalAccount' });
  w.members.set(9, octocat.githubId, 'member');
  expect(await codeOf(read())).toBe('notOwner');
});
