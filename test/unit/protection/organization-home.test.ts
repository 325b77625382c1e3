import { describe, expect, it } from '@jest/globals';
import type { FindingStatus } from '../../../src/contract/findings.ts';
import type { Policy } from '../../../src/contract/policy.ts';
import { organizationMembers, remindMembers } from '../../../src/organizations/organization-members.ts';
import { organizationStatistics } from '../../../src/organizations/organization-statistics.ts';
import type { ApprovalStatistics, MemberReminders, PullSearch } from '../../../src/organizations/ports.ts';
import { organizationPulls } from '../../../src/organizations/waiting-pulls.ts';
import { choiceFindings } from '../../../src/protection/findings.ts';
import { organizationHome } from '../../../src/protection/organization-home.ts';
import { codeOf } from '../../support/code-of.ts';
import { factsOf } from '../../support/facts-of.ts';
import { anInstallation, anOpenPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { MINUTE, mona, world as newWorld, octocat } from '../organizations/world.ts';

type Reminder = Parameters<MemberReminders['add']>[1];

async function world() {
  const w = await newWorld();
  const home = (session = octocat) => organizationHome(w, { session, orgID: 9 });
  return { ...w, home };
}

describe('the home of an organization', () => {
  it('uses the role that GitHub has, not the stored one, and fails closed', async () => {
    const w = await world();
    expect(await w.home()).toMatchObject({ role: 'admin', members: { total: 2, enrolled: 1 } });
    w.members.set(9, octocat.githubId, 'member');
    expect(await w.home()).toMatchObject({
      role: 'member',
      members: null,
      findings: null,
      ...{ waiting: null, deployments: null },
    });
    w.members.roles.clear();
    expect(await codeOf(w.home())).toBe('notMember');
    w.stage.fail('members.role', 'githubUnavailable');
    expect(await codeOf(w.home())).toBe('githubUnavailable');
  });

  it.each([true, false])(
    'has the stored role while the App is suspended, known here: %s',
    async (isKnown) => {
      const w = await world();
      if (isKnown) await w.organizations.save(anInstallation({ suspended: true }));
      w.installations.suspend();
      // GitHub tells a suspended App nothing about anyone.
      w.stage.fail('members.role', 'installationSuspended', { times: 2 });
      const shown = { role: 'admin', installation: { suspended: true }, members: null, waiting: null };
      const findings = [{ id: 'suspended' }];
      expect(await w.home()).toMatchObject({ ...shown, findings });
      expect(await codeOf(w.home({ ...mona, userId: 'hubot', githubId: 13 }))).toBe('notMember');
    },
  );
});

it.each([50, 51])('members come in pages of fifty, each once: %d of them', async (count) => {
  const w = await world();
  const logins = Array.from({ length: count }, (_, at) => `member-${String(at).padStart(3, '0')}`);
  w.memberships.stored.splice(0);
  for (const [at, login] of logins.entries())
    w.memberships.put(w.org, { githubId: 100 + at, login, role: 'member' });
  const page = (after?: string) =>
    organizationMembers(w, { session: octocat, orgID: 9, state: 'all', after });
  const first = await page();
  const rest = first.next === null ? [] : (await page(first.next)).members;
  expect([...first.members, ...rest].map(({ login }) => login)).toEqual(logins);
  expect([first.members.length, rest.length]).toEqual([50, count - 50]);
});

it('lists waiting pull requests with their links, fifty at a time', async () => {
  const w = await world();
  const list: PullSearch['list'] = async (org, page) => {
    const until = new Date('2026-04-27T12:00:00Z');
    const wanted = { search: 'fix', repo: 'hello', rule: '', until, after: 'here', most: 50 };
    expect([org, page]).toEqual([w.org.id, wanted]);
    const pulls = [{ ...anOpenPull(), since: w.clock.now() }];
    return { total: 70, asOf: w.clock.now(), pulls, next: 'there' };
  };
  const input = { session: octocat, orgID: 9, search: 'fix', after: 'here' };
  const filter = { repo: 'hello', rule: '', age: 'week' as const };
  expect(await organizationPulls({ ...w, pullSearch: { list } }, { ...input, ...filter })).toMatchObject({
    total: 70,
    pulls: [{ repo: 'hello', pr: 7, approval: expect.stringMatching(/^\/collect\?/) }],
    next: 'there',
  });
});

it('counts approvals on each of the last thirty days, with the median time to the first one', async () => {
  const days: Awaited<ReturnType<ApprovalStatistics['days']>> = [
    { day: '2026-04-04', approvals: 9, seconds: [1] },
    { day: '2026-05-03', approvals: 5, seconds: [10, 40, 20, 30] },
    { day: '2026-05-04', approvals: 2, seconds: [] },
  ];
  const deps = { ...(await world()), statistics: { days: async () => days } };
  const answer = await organizationStatistics(deps, { session: octocat, orgID: 9 });
  expect(answer).toMatchObject({ approvals: 7, medianSeconds: 25 });
  expect([answer.days.length, answer.days[0], ...answer.days.slice(-2)]).toEqual([
    30,
    { day: '2026-04-05', approvals: 0, medianSeconds: null },
    { day: '2026-05-03', approvals: 5, medianSeconds: 25 },
    { day: '2026-05-04', approvals: 2, medianSeconds: null },
  ]);
});

it('reminds members without an authenticator by e-mail, each once in seven days', async () => {
  const w = await world();
  const sent: Reminder[] = [];
  const reminded = w.clock.now();
  const members = [
    { githubId: 11, userId: 'mona', login: 'mona', reminded: null },
    { githubId: 13, userId: 'hubot', login: 'hubot', reminded },
    { githubId: 14, userId: 'racer', login: 'racer', reminded: null },
  ];
  const memberReminders: MemberReminders = {
    remindable: async () => ({ members, withoutAddress: 4 }),
    // Another owner reminds the last one at the same time.
    add: async (_org, reminder) => Boolean(sent.push(reminder)) && reminder.githubId !== 14,
  };
  const remind = (mailer: unknown = {}, memberID?: number) => {
    const person = { ...octocat, avatarUrl: '' };
    return remindMembers({ ...w, memberReminders, mailer }, { person, orgID: 9, memberID });
  };
  expect(await codeOf(remind(null))).toBe('mailNotSetUp');
  expect(await codeOf(remind({}, 99))).toBe('memberNotFound');
  w.clock.pass(6 * 24 * 60 * MINUTE);
  expect([sent.length, await remind()]).toEqual([0, { sent: 1, withoutAddress: 4, already: 2 }]);
  expect(sent[0]).toMatchObject({
    githubId: 11,
    notSince: new Date(reminded.getTime() - 24 * 60 * MINUTE),
    notice: { userId: 'mona', data: { by: 'octocat' } },
  });
});

describe('the protection of an organization', () => {
  const ALL = { total: 40, enrolled: 40, one: 0, reachable: 0, unreachable: 0 };
  const notByAuthor = { approvals: 1, notBy: ['author'] };
  const CLOSED = aPolicy([{ require: notByAuthor }], { enrolment: { mode: 'vouched' } });
  const findingsOf = (policy: Policy, number: number, members: Partial<typeof ALL> = {}) =>
    Object.fromEntries(
      choiceFindings({ policy, number }, { ...ALL, ...members }, 0).map((finding) => [finding.id, finding]),
    );

  it.each<[what: string, policy: Policy, number: number, status: FindingStatus, action: string | null]>([
    ['failing by default', aPolicy([]), 0, 'failing', '/org/policy'],
    ['open on purpose once an owner has saved that policy', aPolicy([]), 3, 'attention', null],
    ['closed by a vouch and a rule for everything', CLOSED, 1, 'ok', null],
  ])('is %s', (_what, policy, number, status, action) => {
    const { firstAuthenticator, ownApprovals, members } = findingsOf(policy, number);
    expect([firstAuthenticator, ownApprovals]).toMatchObject(Array(2).fill({ status, action }));
    expect(members).toMatchObject({ status: 'ok', action: null });
  });

  it.each<[what: string, where: string, rule: object]>([
    ['two approvals', 'nowhere', { require: { approvals: 2 } }],
    ['a rule without approvals', 'everywhere', { require: { ...notByAuthor, approvals: 0 } }],
    ['a rule that only reports', 'everywhere', { require: notByAuthor, enforced: false }],
    ['a rule that excludes committers', 'everywhere', { require: { notBy: ['committers'] } }],
    ['people', 'nowhere', { require: notByAuthor, when: { authors: 'people' } }],
    ['machines', 'somewhere', { require: notByAuthor, when: { authors: 'machines' } }],
    ['every repository', 'nowhere', { require: notByAuthor, when: { repositories: ['*'] } }],
    ['one repository', 'somewhere', { require: notByAuthor, when: { repositories: ['a'] } }],
    ['one branch', 'somewhere', { require: notByAuthor, when: { branches: ['main'] } }],
    ['every path', 'nowhere', { require: notByAuthor, when: { paths: ['**'] } }],
    ['some paths', 'somewhere', { require: notByAuthor, when: { paths: ['*'] } }],
  ])('says where authors approve their own pull requests: %s, %s', (_what, where, rule) => {
    const { ownApprovals } = findingsOf(aPolicy([rule]), 1);
    expect(ownApprovals?.about).toEqual({ where, isChosen: true });
    expect(ownApprovals?.status).toBe(where === 'nowhere' ? 'ok' : 'attention');
  });

  it.each([
    [{ enrolled: 38, unreachable: 1 }, 'attention', '/org/members?state=missing'],
    [{ enrolled: 0, reachable: 40 }, 'failing', '/org/members?state=missing'],
    // The members without an authenticator have a pending one.
    [{ enrolled: 39 }, 'attention', null],
    [{ total: 0, enrolled: 0 }, 'attention', null],
  ])('asks for the members without an authenticator: %o', (members, status, action) => {
    expect(findingsOf(CLOSED, 1, members).members).toMatchObject({ status, action });
  });

  it.each([
    [null, { total: 0, enrolled: 0, one: 0, count: 0 }],
    [new Date(), { total: 2, enrolled: 1, one: 1, count: 1 }],
  ])('claims nothing about members before GitHub listed them: %s', async (membersAt, about) => {
    const w = await world();
    Object.assign(w.organizations.stored[0] ?? {}, { membersAt });
    expect(factsOf((await w.home()).findings, 'members')).toEqual(about);
  });
});
