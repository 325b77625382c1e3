import { describe, expect, it } from '@jest/globals';
import type { ReconcileReport } from '../../../src/approvals/ports.ts';
import type { CheckRequirement } from '../../../src/contract/organization-health.ts';
import { organizationHealth } from '../../../src/organizations/organization-health.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { createExpiringMap } from '../../../src/shared/expiring-map.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, aRepository, fakeGitHub, fakeStores, PERMISSIONS } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };
const mona = { userId: 'mona', githubId: 11, login: 'mona' };
const MINUTE = 60_000;

type Input = { session?: typeof octocat; orgID?: number; after?: string; again?: boolean };

async function world(installation = anInstallation(), names = ['hello']) {
  const stores = fakeStores();
  const github = fakeGitHub(stores.stage, stores.clock);
  const deps = {
    ...stores,
    ...github,
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
    lastWebhook: (id: number) => stores.deliveries.lastProcessedAt(id),
    silentSince: async (id: number) => (id === 5 ? stores.clock.now() : null),
    watchSeconds: async () => 60,
    requirements: createExpiringMap<CheckRequirement>(stores.clock),
    requiredCheck: { name: 'OTP Guard', appId: 7 },
    isProxyUnknown: false,
    dailyBackup: async () => ({ last: new Date('2026-11-21T04:00:00Z'), isLate: false }),
  };
  const repositories = names.map((name, index) => aRepository({ id: 42 + index, name }));
  deps.installations.all.push({ ...installation, repositories });
  await deps.organizations.save(installation);
  deps.members.set(9, octocat.githubId, 'admin');
  deps.members.set(9, mona.githubId, 'member');
  const health = (input: Input = {}) => organizationHealth(deps, { session: octocat, orgID: 9, ...input });
  return { ...deps, health };
}

const aReport = (change: Partial<ReconcileReport> = {}): ReconcileReport => ({
  repaired: [],
  faults: [],
  redelivered: 0,
  missed: {},
  deliveriesFrom: '2026-05-04T12:00:00.000Z',
  explainsFrom: '2026-05-04T12:00:00.000Z',
  took: 1,
  ...change,
});

const personal = anInstallation({
  account: { id: 9, login: 'octo-org', type: 'User', htmlUrl: 'https://github.com/octo-org' },
});

describe('the health of an organization', () => {
  it('is shown to its owners only', async () => {
    const w = await world();
    expect(await codeOf(w.health({ session: mona }))).toBe('notOwner');
    expect(await codeOf(w.health({ orgID: 10 }))).toBe('installationNotFound');
    await w.organizations.save(anInstallation({ suspended: true }));
    expect(await codeOf(w.health())).toBe('installationSuspended');
    expect(w.stage.calls).not.toContain('branches.requirement');
  });

  it('says how old the last backup is', async () => {
    const w = await world();
    expect((await w.health()).backup).toEqual({ last: '2026-11-21T04:00:00.000Z', isLate: false });
  });

  it('is not found if GitHub no longer has the installation', async () => {
    const w = await world();
    w.installations.all.splice(0);
    expect(await codeOf(w.health())).toBe('installationNotFound');
  });

  it('has GitHub’s sentence if it refuses us, for stored owners alone: GitHub doesn’t say who is one', async () => {
    const reason = 'the `octo-org` organization has an IP allow list enabled';
    const w = await world();
    const [org] = w.organizations.stored;
    if (!org) throw new Error('no organization');
    w.memberships.put(org, { ...octocat, role: 'admin' }, octocat);
    w.memberships.put(org, { ...mona, role: 'member' }, mona);
    for (const [session, says] of [
      [octocat, `GitHub refuses OTP Guard's requests for this organization. It says: ${reason}`],
      [mona, new AppError('githubUnavailable').message],
    ] as const) {
      w.stage.fail('members.role', new AppError('githubUnavailable', { reason }));
      await expect(w.health({ session })).rejects.toMatchObject({ code: 'githubUnavailable', message: says });
    }
  });

  const CALLS = ['registration', 'repositories'].map((call) => `installations.${call}`);
  it.each([...CALLS, 'branches.requirement', 'reconcileReports.latest'])(
    'is an error if this fails: %s',
    async (call) => {
      const w = await world();
      w.stage.fail(call, 'githubUnavailable');
      expect(await codeOf(w.health())).toBe('githubUnavailable');
    },
  );
});

describe('the rulesets to import', () => {
  const rules = [
    {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        do_not_enforce_on_create: true,
        required_status_checks: [{ context: 'OTP Guard', integration_id: 7 }],
      },
    },
  ];
  const base = { name: 'OTP Guard', target: 'branch', enforcement: 'active', rules, bypass_actors: [] };
  const ref_name = { include: ['~DEFAULT_BRANCH'], exclude: [] };
  const url = 'https://github.com/organizations/octo-org/settings/rules';

  it.each([
    ['all', ['~ALL']],
    ['selected', ['a', 'b']],
  ] as const)('require the check from our App, without a bypass: %s', async (selection, include) => {
    const w = await world(anInstallation({ repositorySelection: selection }), ['b', 'a']);
    const repository_name = { include, exclude: [] };
    expect((await w.health()).rulesets).toEqual({
      repository: { ...base, conditions: { ref_name } },
      organization: { ruleset: { ...base, conditions: { ref_name, repository_name } }, url },
    });
  });

  it('are for single repositories in a personal account', async () => {
    const w = await world(personal);
    w.members.set(9, octocat.githubId, 'admin');
    expect((await w.health()).rulesets.organization).toBeNull();
  });
});

describe('the permissions of the App', () => {
  const permissions = async (granted: Record<string, string>, installation = anInstallation()) => {
    const w = await world({ ...installation, permissions: granted });
    return (await w.health()).permissions;
  };
  const { checks, members, merge_queues, ...rest } = PERMISSIONS;

  it('are complete if all were accepted', async () => {
    expect(await permissions({ ...PERMISSIONS })).toEqual({
      missing: [],
      isPending: false,
      settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/5',
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['to write checks', { ...PERMISSIONS, checks: 'read' }, ['checks: write']],
    ['to see members', { ...rest, checks: 'write', merge_queues: 'read' }, ['members: read']],
    ['to hear of merge queues', { ...rest, checks: 'write', members: 'read' }, ['merge_queues: read']],
    [
      'anything',
      {},
      ['checks: write', 'pull_requests: read', 'metadata: read', 'members: read', 'merge_queues: read'],
    ],
  ])('lack the permission %s', async (_what, granted, missing) => {
    expect(await permissions(granted)).toMatchObject({ missing, isPending: true });
  });

  it('do without merge groups on an Enterprise Server whose App was registered so', async () => {
    const { merge_queues: _none, ...granted } = PERMISSIONS;
    const w = await world({ ...anInstallation(), permissions: granted });
    const server = { version: '3.16.0', isUnchecked: true };
    Object.assign(w.installations, { wanted: granted, enterpriseServer: server });
    const { permissions: found, enterpriseServer } = await w.health();
    expect(found).toMatchObject({ missing: [], isPending: false });
    expect(enterpriseServer).toEqual({ ...server, hasMergeGroups: false });
    w.installations.enterpriseServer = null;
    expect((await w.health()).permissions.missing).toEqual(['merge_queues: read']);
  });

  it('are complete but pending if the App requests more than was accepted', async () => {
    const w = await world();
    w.installations.wanted = { ...PERMISSIONS, statuses: 'write' };
    expect((await w.health()).permissions).toMatchObject({ missing: [], isPending: true });
  });

  it('need no members and no merge queues on a personal account', async () => {
    expect(await permissions({ ...rest, checks: 'write' }, personal)).toMatchObject({
      missing: [],
      isPending: false,
    });
    expect(await permissions({ ...rest }, personal)).toMatchObject({ missing: ['checks: write'] });
  });

  it('are missing if their level is an unknown word', async () => {
    expect(await permissions({ ...PERMISSIONS, checks: 'constructor' })).toMatchObject({
      missing: ['checks: write'],
    });
  });
});

describe('the health of webhooks and reconciliation', () => {
  it('is unknown before the first one', async () => {
    const w = await world();
    expect(await w.health()).toMatchObject({ webhooks: { last: null, missed: 0 }, sweep: null });
  });

  it('is about this installation, this organization and what concerns all', async () => {
    const w = await world();
    await w.deliveries.markProcessed('one', 'pull_request', 5);
    const last = w.clock.now().toISOString();
    w.clock.pass(MINUTE);
    await w.deliveries.markProcessed('two', 'pull_request', 6);
    await w.reconcileReports.save(
      aReport({
        repaired: [{ repository: 'octo-org/hello' }, { repository: 'octo-org2/x' }, { repository: 'a/b' }],
        faults: [
          { repository: 'Octo-Org/world', head: 'a' },
          { repository: 'Octo-Org/world', head: 'b' },
          { repository: 'other/secret' },
          { repository: 'the list of deliveries' },
        ],
        missed: { 5: 2, 6: 7, 0: 1 },
      }),
    );
    expect(await w.health()).toMatchObject({
      webhooks: { last, missed: 2, silentSince: w.clock.now().toISOString() },
      watchSeconds: 60,
      sweep: {
        at: w.clock.now().toISOString(),
        repaired: 1,
        faults: ['Octo-Org/world', 'the list of deliveries'],
      },
    });
  });
});

describe('the repositories of the health page', () => {
  const many = Array.from({ length: 23 }, (_, index) => `repo-${String(index).padStart(2, '0')}`);

  it('show whether their default branch requires the check, and link to the setting', async () => {
    const w = await world(anInstallation(), ['b', 'a', 'c']);
    w.branches.requirements.set('a', 'thisApp').set('b', 'anySource').set('c', 'unknown');
    const { repositories, next } = await w.health();
    expect(repositories).toEqual([
      {
        name: 'a',
        defaultBranch: 'main',
        required: 'thisApp',
        rulesUrl: 'https://github.com/octo-org/a/settings/rules',
      },
      expect.objectContaining({ name: 'b', required: 'anySource' }),
      expect.objectContaining({ name: 'c', required: 'unknown' }),
    ]);
    expect(next).toBeNull();
  });

  it('come in pages of ten, each once, and only those are read from GitHub', async () => {
    const w = await world(anInstallation(), many.toReversed());
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const { repositories, next } = await w.health(after === undefined ? {} : { after });
      pages.push(repositories.map(({ name }) => name));
      expect(w.stage.calls.filter((call) => call === 'branches.requirement')).toHaveLength(
        pages.flat().length,
      );
      after = next ?? undefined;
    } while (after !== undefined);
    expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[10, 10, 3], many]);
  });

  it('are cached for five minutes, unless the owner checks again', async () => {
    const w = await world();
    const asked = () => w.stage.calls.filter((call) => call === 'branches.requirement').length;
    await w.health();
    w.branches.requirements.set('hello', 'thisApp');
    w.clock.pass(5 * MINUTE - 1);
    expect((await w.health()).repositories).toMatchObject([{ required: 'no' }]);
    expect(asked()).toBe(1);
    expect((await w.health({ again: true })).repositories).toMatchObject([{ required: 'thisApp' }]);
    w.branches.requirements.set('hello', 'no');
    expect((await w.health()).repositories).toMatchObject([{ required: 'thisApp' }]);
    w.clock.pass(5 * MINUTE);
    expect((await w.health()).repositories).toMatchObject([{ required: 'no' }]);
  });
});
