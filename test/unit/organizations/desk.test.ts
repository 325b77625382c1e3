import { describe, expect, it } from '@jest/globals';
import { registerHandlers } from '../../../src/bot/handlers.ts';
import {
  checkRepositories,
  organizationRepositories,
} from '../../../src/organizations/check-repositories.ts';
import { setOrganizationImage } from '../../../src/organizations/organization-image.ts';
import { remindMembers } from '../../../src/organizations/organization-members.ts';
import { organizationStatistics } from '../../../src/organizations/organization-statistics.ts';
import type { ApprovalStatistics, MemberReminders, PullSearch } from '../../../src/organizations/ports.ts';
import { organizationPulls } from '../../../src/organizations/waiting-pulls.ts';
import { codeOf } from '../../support/code-of.ts';
import {
  anImage,
  anInstallation,
  anOpenPull,
  aRepository,
  fakeGitHub,
  fakeStores,
} from '../../support/fakes.ts';

type Reminder = Parameters<MemberReminders['add']>[1];

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };
const mona = { userId: 'mona', githubId: 11, login: 'mona' };

async function world() {
  const stores = fakeStores();
  const asked: unknown[] = [];
  const days: Awaited<ReturnType<ApprovalStatistics['days']>> = [];
  const pullSearch: PullSearch = {
    async list(orgRecordId, page) {
      asked.push([orgRecordId, page]);
      const pulls = [{ ...anOpenPull(), since: stores.clock.now() }];
      return { total: 70, asOf: stores.clock.now(), pulls, next: 'there' };
    },
  };
  const statistics: ApprovalStatistics = {
    async days(orgId) {
      asked.push(orgId);
      return days;
    },
  };
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    ...{ pullSearch, statistics },
    checkRepositoriesSoon: () => void asked.push('soon'),
    onSyncFailed: (_error: unknown, at: { repository: string }) => void asked.push(at.repository),
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
  };
  const org = await deps.organizations.save(anInstallation());
  deps.members.set(9, mona.githubId, 'member');
  deps.members.set(9, octocat.githubId, 'admin');
  return { ...deps, org, asked, days };
}

describe('the desk of an organization', () => {
  it('is for its owners, as GitHub says now', async () => {
    const w = await world();
    const repositories = (deps: typeof w, input: { session: typeof mona; orgID: number }) =>
      organizationRepositories(deps, { ...input, state: 'all' });
    for (const call of [organizationPulls, organizationStatistics, repositories]) {
      expect(await codeOf(call(w, { session: mona, orgID: 9 }))).toBe('notOwner');
      expect(await codeOf(call(w, { session: octocat, orgID: 10 }))).toBe('installationNotFound');
      w.stage.fail('members.role', 'githubUnavailable');
      expect(await codeOf(call(w, { session: octocat, orgID: 9 }))).toBe('githubUnavailable');
    }
    expect(w.asked).toEqual([]);
  });

  it('lists waiting pull requests with their links, fifty at a time', async () => {
    const w = await world();
    const input = { session: octocat, orgID: 9, search: 'fix', after: 'here' };
    expect(await organizationPulls(w, input)).toMatchObject({
      total: 70,
      pulls: [{ repo: 'hello', pr: 7, approval: expect.stringMatching(/^\/collect\?/) }],
      next: 'there',
    });
    expect(w.asked).toEqual([[w.org.id, { search: 'fix', after: 'here', most: 50 }]]);
  });

  it('counts approvals on each of the last thirty days, with the median time to the first one', async () => {
    const w = await world();
    w.days.push(
      { day: '2026-04-04', approvals: 9, seconds: [1] },
      { day: '2026-05-03', approvals: 5, seconds: [10, 40, 20, 30] },
      { day: '2026-05-04', approvals: 2, seconds: [] },
    );
    const answer = await organizationStatistics(w, { session: octocat, orgID: 9 });
    expect(answer).toMatchObject({ approvals: 7, medianSeconds: 25 });
    expect([answer.days.length, answer.days[0], ...answer.days.slice(-2)]).toEqual([
      30,
      { day: '2026-04-05', approvals: 0, medianSeconds: null },
      { day: '2026-05-03', approvals: 5, medianSeconds: 25 },
      { day: '2026-05-04', approvals: 2, medianSeconds: null },
    ]);
  });

  const MINUTE = 60_000;
  async function withRepositories(names: string[]) {
    const w = await world();
    const repositories = names.map((name, at) => aRepository({ id: 42 + at, name }));
    w.installations.all.push({ ...anInstallation(), repositories });
    const list = (again = false) =>
      organizationRepositories(w, { session: octocat, orgID: 9, state: 'all', again });
    const asks = () => w.stage.calls.filter((call) => call === 'branches.requirement').length;
    return { ...w, list, asks };
  }

  it('lists repositories before any was checked, and checks them in the background', async () => {
    const w = await withRepositories(['hello', 'world']);
    expect(await w.list()).toEqual({
      counts: { total: 2, protected: 0, anySource: 0, notEnforced: 0, unknown: 2, unchecked: 2 },
      matches: 2,
      repositories: ['hello', 'world'].map((name) => ({
        ...{ name, defaultBranch: 'main', required: 'unknown', checked: null },
        rulesUrl: `https://github.com/octo-org/${name}/settings/rules`,
      })),
      next: null,
    });
    w.branches.requirements.set('hello', 'thisApp');
    await checkRepositories(w);
    const checked = '2026-05-04T12:00:00.000Z';
    expect((await w.list()).repositories).toMatchObject([{ required: 'thisApp', checked }, { checked }]);
    expect([w.asked, w.asks()]).toEqual([['soon'], 2]);
    w.clock.pass(6 * MINUTE);
    await w.list(true);
    await checkRepositories(w);
    expect([w.asked, w.asks()]).toEqual([['soon', 'soon'], 4]);
  });

  it('checks thirty repositories a minute, in one process, and each again after six hours', async () => {
    const w = await withRepositories(Array.from({ length: 70 }, (_, at) => `repo-${100 + at}`));
    for (const asks of [30, 60, 70, 70]) {
      await Promise.all([checkRepositories(w), checkRepositories(w)]);
      expect(w.asks()).toBe(asks);
      w.clock.pass(MINUTE);
    }
    w.clock.pass(6 * 60 * MINUTE);
    await checkRepositories(w);
    expect(w.asks()).toBe(100);
  });

  it('leaves half of GitHub’s budget, and lets no repository that fails keep the others waiting', async () => {
    const w = await withRepositories(['hello', 'world']);
    const isLow = { ...w, backgroundBudget: { lowUntil: () => new Date() } };
    await checkRepositories(isLow);
    expect(w.asks()).toBe(0);
    w.clock.pass(MINUTE);
    w.stage.fail('branches.requirement', 'githubUnavailable');
    await checkRepositories(w);
    expect([w.asked, w.asks()]).toEqual([['octo-org/hello'], 2]);
    w.clock.pass(29 * MINUTE);
    await checkRepositories(w);
    expect(w.asks()).toBe(2);
    w.clock.pass(MINUTE);
    await checkRepositories(w);
    expect([w.asks(), w.repositoryChecks.stored.map(({ checked }) => Boolean(checked))]).toEqual([
      3,
      [true, true],
    ]);
  });

  it('checks a repository, or all of an organization, again when a webhook reports changed rules', async () => {
    const w = await withRepositories(['hello', 'world']);
    await checkRepositories(w);
    const handlers: { name: string; handle(event: { payload: object }): Promise<void> }[] = [];
    const on = (names: string | string[], handle: never) =>
      void handlers.push(...[names].flat().map((name) => ({ name, handle })));
    registerHandlers({ on: on as never }, w as never);
    const send = (name: string, payload: object) =>
      Promise.all(handlers.map((one) => one.name === name && one.handle({ payload })));
    w.clock.pass(MINUTE);
    await send('branch_protection_rule', { installation: { id: 5 }, repository: { id: 42 } });
    await checkRepositories(w);
    expect(w.asks()).toBe(3);
    w.clock.pass(MINUTE);
    await send('repository_ruleset', { installation: { id: 5 } });
    await send('repository.created', {
      ...{ installation: { id: 5 }, repository: { id: 50, name: 'new', default_branch: 'trunk' } },
    });
    await checkRepositories(w);
    expect(w.asks()).toBe(6);
    await send('installation_repositories.removed', { repositories_removed: [{ id: 42 }] });
    expect(w.repositoryChecks.stored.map(({ name }) => name)).toEqual(['world', 'new']);
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
      add: async (_org, reminder) => Boolean(sent.push(reminder)) && reminder.githubId !== 14,
    };
    const remind = (person: typeof octocat, mailer: unknown = {}, memberID?: number) => {
      const by = { ...person, avatarUrl: '' };
      return remindMembers({ ...w, memberReminders, mailer }, { person: by, orgID: 9, memberID });
    };
    expect(await codeOf(remind(mona))).toBe('notOwner');
    expect(await codeOf(remind(octocat, null))).toBe('mailNotSetUp');
    expect(await codeOf(remind(octocat, {}, 99))).toBe('memberNotFound');
    w.clock.pass(6 * 24 * 60 * MINUTE);
    expect([sent.length, await remind(octocat)]).toEqual([0, { sent: 1, withoutAddress: 4, already: 2 }]);
    expect(sent[0]).toMatchObject({
      githubId: 11,
      notSince: new Date(reminded.getTime() - 24 * 60 * MINUTE),
      notice: { userId: 'mona', data: { by: 'octocat' } },
    });
  });

  it('logs who set the security image', async () => {
    const w = await world();
    const image = anImage();
    expect(await setOrganizationImage(w, { session: octocat, orgID: 9, image })).toEqual({ image });
    const activity = {
      ...{ activity: 'setOrgImage', userId: 'octocat', orgRecordId: w.org.id },
      ...{ data: { login: 'octocat', org: 'octo-org' }, personFacts: { by: { id: 12, login: 'octocat' } } },
    };
    expect(w.organizations.images).toEqual([{ orgId: 9, image, activity }]);
  });
});
