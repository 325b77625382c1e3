import { describe, expect, it } from '@jest/globals';
import { createRefreshMemberships } from '../../../src/organizations/refresh-memberships.ts';
import { requireOwner } from '../../../src/organizations/require-role.ts';
import { syncAllMembers, syncMembers } from '../../../src/organizations/sync-members.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { MINUTE, mona, world as newWorld, octocat, type World } from './world.ts';

const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
const other = anInstallation({ id: 6, account });
const suspended = anInstallation({ suspended: true });

async function world() {
  const w = await newWorld();
  w.members.logins.set(mona.githubId, 'mona');
  const refresh = createRefreshMemberships(w);
  const stored = () => w.memberships.stored.map(({ org, login, role }) => [org === w.org.id, login, role]);
  return {
    ...w,
    stored,
    refresh: () => refresh(mona),
    role: () => w.memberships.stored.find(({ githubId }) => githubId === mona.githubId)?.role ?? null,
  };
}

describe('the memberships of a person', () => {
  it('are read from GitHub once a minute, for all simultaneous requests', async () => {
    const w = await world();
    let isAnswered = false;
    w.stage.gate = async (call) => {
      if (call !== 'members.role answered') return;
      await new Promise((done) => setImmediate(done));
      isAnswered = true;
    };
    const seen = Array.from({ length: 10 }, () => w.refresh().then(() => isAnswered));
    expect(new Set(await Promise.all(seen))).toEqual(new Set([true]));
    w.clock.pass(MINUTE - 1);
    await w.refresh();
    expect(w.count('members.role')).toBe(1);
    w.clock.pass(1);
    await w.refresh();
    expect(w.count('members.role')).toBe(2);
  });

  it.each(['admin', null] as const)('have the role that GitHub has now, or end with it: %s', async (role) => {
    const w = await world();
    const also = await w.organizations.save(other);
    w.memberships.put(also, { ...mona, role: 'member' }, mona);
    w.members.set(10, mona.githubId, 'member');
    if (role) w.members.set(9, mona.githubId, role);
    else w.members.roles.delete('9:11');
    await w.refresh();
    const kept = [
      [true, 'octocat', 'admin'],
      [false, 'mona', 'member'],
    ];
    expect(w.stored()).toEqual(role ? [[true, 'mona', role], ...kept] : kept);
  });

  it('stay under a new name of the person and of the organization', async () => {
    const w = await world();
    w.members.logins.set(mona.githubId, 'mona-lisa');
    w.members.orgNames.set(9, 'octo-new');
    for (const one of w.installations.all) one.account = { ...one.account, login: 'octo-new' };
    await w.refresh();
    expect([w.role(), w.organizations.stored[0]?.name]).toEqual(['member', 'octo-new']);
  });

  it.each<[string, (w: World) => unknown, asks: number, stored: object]>([
    ['is suspended, and we know', (w) => w.organizations.save(suspended), 0, { suspended: true }],
    ['was removed, and we know', (w) => w.organizations.removed(5), 0, { installationId: 0 }],
    ['was suspended a moment ago', (w) => w.installations.suspend(), 1, { suspended: true }],
    // The watch marks it as removed: it logs that first.
    ['was removed a moment ago', (w) => w.installations.all.splice(0), 1, { installationId: 5 }],
    [
      'is suspended, and GitHub refuses us',
      (w) => {
        w.installations.suspend();
        w.stage.fail('members.role', 'installationSuspended');
      },
      ...([1, { suspended: true }] as const),
    ],
  ])('stay as they are if the App %s', async (_what, change, asks, stored) => {
    const w = await world();
    w.members.roles.clear();
    await change(w);
    await w.refresh();
    expect([w.role(), w.count('members.role')]).toEqual(['member', asks]);
    expect(w.organizations.stored).toMatchObject([stored]);
  });

  it('aren’t answered if any call fails, for all who wait, and the next request reads again', async () => {
    const leaves = async () => {
      const w = await world();
      w.members.roles.clear();
      w.members.logins.set(mona.githubId, 'mona-lisa');
      return w;
    };
    const plain = await leaves();
    await plain.refresh();
    const calls = [...new Set(plain.stage.calls)];
    expect(calls).toEqual([
      ...['memberships.of', 'members.role', 'installations.get', 'organizations.save', 'members.loginOf'],
      'memberships.save',
    ]);
    for (const call of calls) {
      const w = await leaves();
      w.stage.fail(call, 'githubUnavailable');
      const failed = await Promise.all([codeOf(w.refresh()), codeOf(w.refresh())]);
      expect([call, ...failed, w.role()]).toEqual([call, 'githubUnavailable', 'githubUnavailable', 'member']);
      expect([call, await codeOf(w.refresh()), w.role()]).toEqual([call, 'passes', null]);
    }
  });
});

it.each<[string, (w: World) => unknown, string]>([
  ['a member', (w) => w.members.set(9, octocat.githubId, 'member'), 'notOwner'],
  [
    'an owner of another organization',
    (w) => {
      w.members.roles.clear();
      w.members.set(10, octocat.githubId, 'admin');
    },
    'notOwner',
  ],
  ['anybody after the App was removed', (w) => w.organizations.removed(5), 'installationNotFound'],
  ['anybody while the App is suspended', (w) => w.organizations.save(suspended), 'installationSuspended'],
  [
    'anybody while GitHub doesn’t answer',
    (w) => w.stage.fail('members.role', 'githubUnavailable'),
    'githubUnavailable',
  ],
])('what only owners may do is refused to %s', async (_who, change, code) => {
  const w = await world();
  expect(await requireOwner(w, octocat, 9)).toEqual(w.org);
  await change(w);
  expect(await codeOf(requireOwner(w, octocat, 9))).toBe(code);
});

describe('the members of an organization', () => {
  const OCTOCAT = { githubId: 12, login: 'octocat', role: 'admin' as const };
  const HUBOT = { githubId: 13, login: 'hubot', role: 'member' as const };

  it('become GitHub’s list, as of the time before the question', async () => {
    const w = await world();
    w.members.lists?.set(9, [OCTOCAT, HUBOT]);
    const before = w.clock.now();
    w.stage.gate = async (call) => {
      if (call === 'members.list') w.clock.pass(5_000);
    };
    await syncMembers(w, w.org);
    expect(w.memberships.stored).toMatchObject([
      { ...OCTOCAT, userId: 'octocat' },
      { ...HUBOT, userId: '' },
    ]);
    expect(w.organizations.stored[0]?.membersAt).toEqual(before);
  });

  it.each<[string, (w: World) => unknown, code: string]>([
    ['GitHub does not show them to the installation', (w) => (w.members.lists = null), 'passes'],
    ['GitHub shows an empty list, which no organization has', () => undefined, 'passes'],
    ['GitHub does not answer', (w) => w.stage.fail('members.list', 'githubUnavailable'), 'githubUnavailable'],
  ])('stay if %s', async (_what, change, code) => {
    const w = await world();
    const before = structuredClone(w.memberships.stored);
    change(w);
    expect(await codeOf(syncMembers(w, w.org))).toBe(code);
    expect([w.memberships.stored, w.organizations.stored[0]?.membersAt]).toEqual([before, null]);
  });

  it.each([{ accountType: 'User' as const }, { installationId: 0 }, { suspended: true }])(
    'aren’t asked for if there is no list: %j',
    async (change) => {
      const w = await world();
      await syncMembers(w, { ...w.org, ...change });
      expect(w.stage.calls).toEqual([]);
    },
  );

  it.each(['organizations.save', 'members.list', 'memberships.replace'])(
    'are read for the other organizations if %s fails for one, which is logged',
    async (call) => {
      const w = await world();
      w.installations.all.push({ ...other, repositories: [] });
      w.members.lists?.set(9, [OCTOCAT]).set(10, [HUBOT]);
      w.stage.fail(call, 'githubUnavailable');
      const faults: object[] = [];
      await syncAllMembers({ ...w, onSyncFailed: (_error, at) => void faults.push(at) });
      expect(faults).toEqual([{ repository: 'octo-org/*' }]);
      expect(w.organizations.stored.map(({ name }) => name)).toEqual(['octo-org', 'other-org']);
      expect(w.memberships.stored.map(({ login }) => login)).toEqual(['mona', 'octocat', 'hubot']);
    },
  );
});
