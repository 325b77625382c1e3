import { describe, expect, it } from '@jest/globals';
import { registerHandlers } from '../../../src/bot/handlers.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import type { RepositoryEnvironments } from '../../../src/contract/organization-health.ts';
import type { Installation } from '../../../src/organizations/ports.ts';
import { checkRepositories, organizationRepositories } from '../../../src/protection/check-repositories.ts';
import { organizationHealth } from '../../../src/protection/organization-health.ts';
import { GATE } from '../../../src/protection/permissions.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { codeOf } from '../../support/code-of.ts';
import { factsOf, troubles } from '../../support/facts-of.ts';
import { anInstallation, aRule, PERMISSIONS } from '../../support/fakes.ts';
import { until } from '../../support/until.ts';
import { PULL_REQUEST } from '../../support/ways-around.ts';
import { MINUTE, mona, world as newWorld, octocat } from '../organizations/world.ts';
import { anEnvironment, environments } from './rules.ts';

type Input = { session?: typeof octocat; again?: boolean };

async function world(options: Parameters<typeof newWorld>[0] = {}) {
  const w = await newWorld(options);
  const deps = {
    ...w,
    lastWebhook: (id: number) => w.deliveries.lastReceivedAt(id),
    silentSince: async (id: number) => (id === 5 ? w.clock.now() : null),
    watchSeconds: async () => 60,
    countLeft: async (orgId: number) => (orgId === 9 ? 3 : 0),
    requiredCheck: { name: 'OTP Guard', appId: 7 },
    isProxyUnknown: true,
    dailyBackup: async () => ({ last: new Date('2026-11-21T04:00:00Z'), isLate: false }),
  };
  const health = (input: Input = {}) => organizationHealth(deps, { session: octocat, orgID: 9, ...input });
  return { ...w, health, asks: () => w.count('protections.repository') };
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `repo-${100 + at}`);
const personal = { account: { ...anInstallation().account, type: 'User' as const } };

describe('the health of an organization', () => {
  it('has GitHub’s sentence if it refuses us, for stored owners alone: GitHub doesn’t say who is one', async () => {
    const reason = 'the `octo-org` organization has an IP allow list enabled';
    const w = await world();
    for (const [session, says] of [
      [octocat, `GitHub refuses OTP Guard's requests for this organization. It says: ${reason}`],
      [mona, new AppError('githubUnavailable').message],
    ] as const) {
      w.stage.fail('members.role', new AppError('githubUnavailable', { reason }));
      await expect(w.health({ session })).rejects.toMatchObject({ code: 'githubUnavailable', message: says });
    }
    w.installations.all.splice(0);
    expect(await codeOf(w.health())).toBe('installationNotFound');
  });

  it('has webhooks and the last reconciliation, about this organization and what concerns all', async () => {
    const w = await world();
    const backup = { last: '2026-11-21T04:00:00.000Z', isLate: false };
    const first = (await w.health()).findings;
    expect(factsOf(first, 'webhooks')).toMatchObject({ last: null, missed: 0 });
    expect([factsOf(first, 'fullCheck'), factsOf(first, 'backup')]).toEqual([null, backup]);
    expect(troubles(first)).toEqual(expect.arrayContaining(['fullCheck failing', 'proxy failing']));
    await w.deliveries.markProcessed('one', 'pull_request', 5);
    const last = w.clock.now().toISOString();
    w.clock.pass(MINUTE);
    await w.deliveries.markProcessed('two', 'pull_request', 6);
    await w.reconcileReports.save({
      repaired: [{ repository: 'octo-org/hello' }, { repository: 'octo-org2/x' }, { repository: 'a/b' }],
      faults: [
        { repository: 'Octo-Org/world', head: 'a' },
        { repository: 'Octo-Org/world', head: 'b' },
        { repository: 'other/secret' },
        { repository: 'the list of deliveries' },
        { repository: 'octo-org/*' },
      ],
      missed: { 5: 2, 6: 7, 0: 1 },
      ...{ redelivered: 0, deliveriesFrom: last, explainsFrom: last, took: 1 },
    });
    const at = w.clock.now().toISOString();
    const { findings } = await w.health();
    expect(factsOf(findings, 'webhooks')).toEqual({ last, missed: 2, silentSince: at, watchSeconds: 60 });
    expect(factsOf(findings, 'lostAuthenticators')).toEqual({ approvals: 3 });
    const faults = ['world', 'the list of deliveries', '*'];
    const fullCheck = { at, repaired: 1, faults, isForAll: true, isOverdue: false };
    expect(factsOf(findings, 'fullCheck')).toEqual(fullCheck);
    w.clock.pass(61 * MINUTE);
    const later = factsOf((await w.health()).findings, 'fullCheck');
    expect(later).toEqual({ ...fullCheck, isOverdue: true });
  });

  it.each([
    ['all', ['~ALL']],
    ['selected', ['a', 'b']],
  ] as const)(
    'has rulesets that require the check from our App, without a bypass: %s',
    async (selection, include) => {
      const w = await world({
        installation: anInstallation({ repositorySelection: selection }),
        names: ['b', 'a'],
      });
      const required_status_checks = [{ context: 'OTP Guard', integration_id: 7 }];
      const policy = { strict_required_status_checks_policy: false, do_not_enforce_on_create: true };
      const rules = [
        { type: 'required_status_checks', parameters: { ...policy, required_status_checks } },
        PULL_REQUEST,
      ];
      const base = { name: 'OTP Guard', target: 'branch', enforcement: 'active', rules, bypass_actors: [] };
      const ref_name = { include: ['~DEFAULT_BRANCH'], exclude: [] };
      const conditions = { ref_name, repository_name: { include, exclude: [] } };
      const url = 'https://github.com/organizations/octo-org/settings/rules';
      expect((await w.health()).rulesets).toEqual({
        repository: { ...base, conditions: { ref_name } },
        organization: { ruleset: { ...base, conditions }, url },
      });
    },
  );

  const { checks: _, merge_queues, ...rest } = PERMISSIONS;
  it.each<[string, Record<string, string>, Partial<Installation>, missing: string[]]>([
    ['all were accepted', PERMISSIONS, {}, []],
    ['it may only read checks', { ...PERMISSIONS, checks: 'read' }, {}, ['checks: write']],
    ['a level is unknown', { ...PERMISSIONS, checks: 'constructor' }, {}, ['checks: write']],
    ['merge queues are left out', { ...rest, checks: 'write' }, {}, ['merge_queues: read']],
    [
      'a personal account has no members',
      { checks: 'write', pull_requests: 'read', metadata: 'read' },
      personal,
      [],
    ],
    ['a personal account lacks checks', rest, personal, ['checks: write']],
  ])('names the permissions that the App lacks if %s', async (_what, permissions, change, missing) => {
    const w = await world({ installation: anInstallation({ permissions, ...change }) });
    const health = await w.health();
    const lacking = missing.map((one) => ({ name: one.split(': ')[0], level: one.split(': ')[1] }));
    const permissionsIn = (findings: Finding[]) => factsOf(findings, 'permissions');
    expect(permissionsIn(health.findings)).toEqual({ missing: lacking, isPending: missing.length > 0 });
    expect(health.rulesets.organization === null).toBe(change === personal);
    // The App requests more than was accepted.
    w.installations.wanted = { ...PERMISSIONS, statuses: 'write' };
    expect(permissionsIn((await w.health()).findings)).toEqual({ missing: lacking, isPending: true });
  });

  const asked = { ...PERMISSIONS, ...GATE };
  const open = environments(anEnvironment({ canAdminsBypass: true }));
  const url = 'https://github.com/octo-org/hello/settings/environments';
  it.each<[string, Record<string, string>, Record<string, string>, RepositoryEnvironments | null, unknown[]]>(
    [
      ['the App doesn’t ask for it', PERMISSIONS, PERMISSIONS, null, ['attention', null]],
      [
        'no owner accepted it',
        asked,
        { ...PERMISSIONS, actions: 'read' },
        null,
        ['attention', 'installation'],
      ],
      ['no environment has it', asked, asked, environments(), ['attention', url]],
      ['GitHub shows none', asked, asked, { ...environments(), total: null }, ['attention', url]],
      ['one has it', asked, asked, environments(anEnvironment()), ['ok', '/org/repositories']],
      ['administrators may bypass it', asked, asked, open, ['attention', '/org/repositories']],
      [
        'we can’t tell whether they may',
        ...[asked, asked, environments(anEnvironment({ canAdminsBypass: null }))],
        ['unknown', '/org/repositories'],
      ],
    ] as never,
  )('never fails for the gate of deployments: %s', async (_what, wanted, permissions, now, expected) => {
    const w = await world({ installation: anInstallation({ permissions }) });
    Object.assign(w.installations, { wanted });
    w.repositoryChecks.granted = permissions;
    w.protections.repositories.set('hello', { rulesets: [aRule()], environments: now ?? undefined });
    const { findings } = await w.health();
    const found = findings.find(({ id }) => id === 'gate');
    expect([found?.status, found?.action]).toEqual(expected);
    expect(factsOf(findings, 'permissions')).toEqual({ missing: [], isPending: false });
    expect(factsOf(findings, 'gate')).toMatchObject({ isRequested: wanted === asked });
    const { repositories } = await organizationRepositories(w, { session: octocat, orgID: 9, state: 'all' });
    expect(repositories).toMatchObject([{ name: 'hello', environments: now }]);
  });

  it('says nothing of the gate before a repository is protected', async () => {
    const w = await world({ names: [] });
    expect(factsOf((await w.health()).findings, 'gate')).toBeUndefined();
  });

  it('does without merge groups on an Enterprise Server whose App was registered so', async () => {
    const granted = { ...rest, checks: 'write' };
    const w = await world({ installation: anInstallation({ permissions: granted }) });
    const enterpriseServer = { version: '3.16.0', isUnchecked: true };
    Object.assign(w.installations, { wanted: granted, enterpriseServer });
    const { findings } = await w.health();
    expect(factsOf(findings, 'permissions')).toEqual({ missing: [], isPending: false });
    expect(factsOf(findings, 'enterpriseServer')).toEqual({ ...enterpriseServer, hasMergeGroups: false });
  });

  it('has a small organization’s repositories as GitHub has them, read again after five minutes or by the owner', async () => {
    const w = await world({ names: named(10) });
    const read = async (again = false) => {
      const { repositories } = await w.health({ again });
      const unchecked = factsOf(repositories, 'required')?.unchecked;
      return [w.repositoryChecks.stored[9]?.required, unchecked, w.asks()];
    };
    expect(await read()).toEqual(['no', 0, 10]);
    w.protections.repositories.set('repo-109', { rulesets: [aRule()] });
    w.clock.pass(5 * MINUTE);
    expect(await read()).toEqual(['no', 0, 10]);
    expect(await read(true)).toEqual(['thisApp', 0, 20]);
    w.protections.repositories.clear();
    w.clock.pass(5 * MINUTE + 1);
    expect(await read()).toEqual(['no', 0, 30]);
  });

  it('has a larger organization’s as the rounds found them, and ten read immediately if the owner checks again', async () => {
    const w = await world({ names: named(11) });
    const counts = async (again = false) => factsOf((await w.health({ again })).repositories, 'required');
    expect([await counts(), w.asks()]).toMatchObject([{ total: 11, unchecked: 11 }, 0]);
    expect([await counts(true), w.asks()]).toMatchObject([{ unchecked: 1 }, 10]);
    w.clock.pass(MINUTE);
    await w.health({ again: true });
    // The rounds read the others.
    expect((await w.repositoryChecks.due(w.clock.now(), { most: 99 })).length).toBe(1);
  });
});

describe('the repositories of an organization', () => {
  async function withRepositories(names = ['hello', 'world']) {
    const w = await world({ names });
    const said: unknown[] = [];
    const deps = {
      ...w,
      checkRepositoriesSoon: () => void said.push('soon'),
      onSyncFailed: (_error: unknown, { repository }: { repository: string }) => void said.push(repository),
    };
    const list = (again = false) =>
      organizationRepositories(deps, { session: octocat, orgID: 9, state: 'all', again });
    return { ...deps, list, said };
  }

  it('are listed before any was checked, and checked in the background', async () => {
    const w = await withRepositories();
    expect(await w.list()).toMatchObject({
      findings: [{ id: 'required', status: 'unknown' }, { id: 'unchecked' }],
      counts: {
        ...{ total: 2, protected: 0, anySource: 0, notEnforced: 0, unknown: 2, unchecked: 2 },
        bypass: { nobody: 0, said: 0, some: 0, unknown: 0 },
      },
      matches: 2,
      repositories: ['hello', 'world'].map((name) => ({
        ...{ name, defaultBranch: 'main', required: 'unknown', bypass: null, checked: null },
        rulesUrl: `https://github.com/octo-org/${name}/settings/rules`,
      })),
      next: null,
    });
    w.protections.repositories.set('hello', { rulesets: [aRule()] });
    await checkRepositories(w);
    const checked = '2026-05-04T12:00:00.000Z';
    expect((await w.list()).repositories).toMatchObject([{ required: 'thisApp', checked }, { checked }]);
    expect([w.said, w.asks()]).toEqual([['soon'], 2]);
    w.clock.pass(6 * MINUTE);
    await w.list(true);
    await checkRepositories(w);
    expect([w.said, w.asks()]).toEqual([['soon', 'soon'], 4]);
  });

  it('are checked thirty a minute, in one process, and each again after six hours', async () => {
    const w = await withRepositories(named(70));
    // A rule that only requires a pull request is nothing to watch.
    w.protections.repositories.set('repo-100', { rulesets: [aRule({ state: 'withoutCheck' })] });
    for (const asks of [30, 60, 70, 70]) {
      await Promise.all([checkRepositories(w), checkRepositories(w)]);
      expect(w.asks()).toBe(asks);
      w.clock.pass(MINUTE);
    }
    w.clock.pass(6 * MINUTE);
    await checkRepositories(w);
    expect(w.asks()).toBe(70);
    w.clock.pass(6 * 60 * MINUTE);
    await checkRepositories(w);
    expect(w.asks()).toBe(100);
  });

  it('give each organization a share, whatever another one has', async () => {
    const w = await withRepositories(named(400));
    const account = { id: 77, login: 'small', type: 'Organization', htmlUrl: '' } as const;
    const small = await w.organizations.save(anInstallation({ id: 6, account }));
    w.repositoryChecks.organizations.set(small.id, { installation: 6, owner: 'small' });
    await w.repositoryChecks.put(small.id, { id: 7_000, name: 'theirs', defaultBranch: 'main' });
    await checkRepositories(w);
    expect((await w.repositoryChecks.get(7_000))?.known).not.toBeNull();
    expect(w.asks()).toBe(31);
  });

  it('are read while GitHub answers nothing about another organization, in time for the next round', async () => {
    const w = await withRepositories(named(30));
    const account = { id: 77, login: 'small', type: 'Organization', htmlUrl: '' } as const;
    const small = await w.organizations.save(anInstallation({ id: 6, account }));
    w.repositoryChecks.organizations.set(small.id, { installation: 6, owner: 'small' });
    await w.repositoryChecks.put(small.id, { id: 7_000, name: 'theirs', defaultBranch: 'main' });
    const { repository } = w.protections;
    const end = new AbortController();
    w.protections.repository = async (...asked) => {
      if (asked[0].installation !== 6)
        await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
      return repository.apply(w.protections, asked);
    };
    const round = checkRepositories(w);
    await until(
      'the other organization’s repository',
      async () => (await w.repositoryChecks.get(7_000))?.known,
    );
    w.clock.pass(MINUTE + 1);
    end.abort();
    await round;
    expect(w.asks()).toBeLessThan(5);
  });

  it('are spread over the hour by what GitHub’s budget has left, of which "not modified" uses nothing', async () => {
    const w = await withRepositories(named(70));
    const { repository } = w.protections;
    let [requests, cost] = [600, 4];
    w.protections.repository = (...asked) => {
      requests -= cost;
      return repository.apply(w.protections, asked);
    };
    const renewed = new Date(w.clock.now().getTime() + 60 * MINUTE);
    const deps = { ...w, backgroundBudget: { spare: () => ({ requests, until: renewed }) } };
    // A sixtieth of 600 requests is two repositories, and one more that is under way.
    await checkRepositories(deps);
    expect(w.asks()).toBeLessThanOrEqual(4);
    const before = w.asks();
    cost = 0;
    w.clock.pass(MINUTE);
    await checkRepositories(deps);
    expect(w.asks()).toBe(before + 30);
  });

  it('leave half of GitHub’s budget, and a failing one doesn’t keep the others waiting', async () => {
    const w = await withRepositories();
    await checkRepositories({
      ...w,
      backgroundBudget: { spare: () => ({ requests: 0, until: w.clock.now() }) },
    });
    expect(w.asks()).toBe(0);
    w.stage.fail('protections.repository', 'githubUnavailable');
    for (const [passes, asks] of [
      [1, 2],
      [4, 2],
      [1, 3],
    ] as const) {
      w.clock.pass(passes * MINUTE);
      await checkRepositories(w);
      expect(w.asks()).toBe(asks);
    }
    expect(w.said).toEqual(['octo-org/hello']);
    expect(w.repositoryChecks.stored.every(({ checked }) => checked)).toBe(true);
  });

  it('are checked again, one or all, when a webhook reports changed rules', async () => {
    const w = await withRepositories();
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
    await send('repository_ruleset', { installation: { id: 5 }, repository_ruleset: { id: 1 } });
    const repository = { id: 50, name: 'new', default_branch: 'trunk' };
    await send('repository.created', { installation: { id: 5 }, repository });
    await checkRepositories(w);
    expect(w.asks()).toBe(6);
    const installation = { id: 5 };
    for (const one of w.installations.all) one.repositories = one.repositories.filter(({ id }) => id !== 42);
    await send('installation_repositories.removed', { installation, repositories_removed: [{ id: 42 }] });
    expect(w.repositoryChecks.stored.map(({ name }) => name)).toEqual(['world', 'new']);
  });
});
