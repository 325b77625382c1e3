import { describe, expect, it } from '@jest/globals';
import { createRefreshMemberships, rereadRole } from '../../../src/organizations/refresh-memberships.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const mona = { userId: 'record', githubId: 11, login: 'mona' };

async function world() {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage) };
  const org = await deps.organizations.save(anInstallation());
  deps.installations.all.push({ ...anInstallation(), repositories: [] });
  deps.members.set(9, mona.githubId, 'member');
  deps.members.logins.set(mona.githubId, 'mona');
  deps.memberships.put(org, { ...mona, role: 'member' }, { userId: 'record' });
  deps.stage.calls.splice(0);
  const refresh = createRefreshMemberships(deps);
  return {
    ...deps,
    org,
    refresh,
    asked: (call = 'members.role') => deps.stage.calls.filter((one) => one === call).length,
    /** The role that is stored, or null. */
    role: () => deps.memberships.stored.find(({ githubId }) => githubId === mona.githubId)?.role ?? null,
  };
}

type World = Awaited<ReturnType<typeof world>>;

describe('the memberships of a person', () => {
  it('are read from GitHub once a minute', async () => {
    const w = await world();
    await w.refresh(mona);
    w.clock.pass(59_999);
    await w.refresh(mona);
    expect(w.asked()).toBe(1);
    w.clock.pass(1);
    await w.refresh(mona);
    expect(w.asked()).toBe(2);
  });

  it('are read once for many simultaneous requests, which all wait for the answer', async () => {
    const w = await world();
    let isAnswered = false;
    w.stage.gate = async (call) => {
      if (call !== 'members.role answered') return;
      await new Promise((done) => setImmediate(done));
      isAnswered = true;
    };
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await w.refresh(mona);
        expect(isAnswered).toBe(true);
      }),
    );
    expect(w.asked()).toBe(1);
  });

  it.each(['admin', 'member'] as const)('have the role that GitHub has now: %s', async (role) => {
    const w = await world();
    for (const one of w.memberships.stored) one.role = role === 'admin' ? 'member' : 'admin';
    w.members.set(9, mona.githubId, role);
    await w.refresh(mona);
    expect(w.role()).toBe(role);
  });

  it('end if GitHub says that the person is no member', async () => {
    const w = await world();
    w.members.roles.clear();
    await w.refresh(mona);
    expect(w.role()).toBeNull();
  });

  it('end in one organization and stay in another', async () => {
    const w = await world();
    const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
    const other = await w.organizations.save(anInstallation({ id: 6, account }));
    w.memberships.put(other, { ...mona, role: 'admin' }, { userId: 'record' });
    w.members.set(10, mona.githubId, 'admin');
    w.members.roles.delete('9:11');
    await w.refresh(mona);
    expect(w.memberships.stored).toMatchObject([{ org: other.id, role: 'admin' }]);
  });
});

describe('a new name', () => {
  it.each<[string, (w: World) => void]>([
    ['of the person', (w) => w.members.logins.set(mona.githubId, 'mona-lisa')],
    [
      'of the organization',
      (w) => {
        w.members.orgNames.set(9, 'octo-new');
        for (const one of w.installations.all) one.account = { ...one.account, login: 'octo-new' };
      },
    ],
  ])('%s keeps all memberships', async (_what, rename) => {
    const w = await world();
    rename(w);
    await w.refresh(mona);
    expect(w.role()).toBe('member');
    expect(w.organizations.stored[0]?.name).toBe(w.members.orgNames.get(9) ?? 'octo-org');
  });
});

describe('memberships while the App is away', () => {
  it.each<[string, (w: World) => unknown]>([
    ['is suspended, and we know', (w) => w.organizations.save(anInstallation({ suspended: true }))],
    ['was removed, and we know', (w) => w.organizations.removed(5)],
    ['was suspended a moment ago', (w) => w.installations.suspend()],
    ['was removed a moment ago', (w) => w.installations.all.splice(0)],
  ])('stay as they are if the App %s', async (_what, change) => {
    const w = await world();
    w.members.roles.clear();
    await change(w);
    await w.refresh(mona);
    expect(w.role()).toBe('member');
  });

  it.each<[string, (w: World) => void, object]>([
    ['suspended', (w) => w.installations.suspend(), { suspended: true, installationId: 5 }],
    ['removed', (w) => void w.installations.all.splice(0), { installationId: 0 }],
  ])('are those of an organization that is stored as %s', async (_what, change, noted) => {
    const w = await world();
    w.members.roles.clear();
    change(w);
    await w.refresh(mona);
    expect(w.organizations.stored).toMatchObject([noted]);
  });
});

describe('a failure of GitHub or the record store', () => {
  it('is an error for each call that can fail, and the next request reads again', async () => {
    const plain = await world();
    plain.members.roles.clear();
    plain.members.logins.set(mona.githubId, 'mona-lisa');
    await plain.refresh(mona);
    const calls = [...new Set(plain.stage.calls)];
    expect(calls).toEqual(
      [
        ['memberships.of', 'members.role', 'installations.get', 'organizations.save', 'members.loginOf'],
        ['memberships.save'],
      ].flat(),
    );
    for (const call of calls) {
      const w = await world();
      w.members.roles.clear();
      w.members.logins.set(mona.githubId, 'mona-lisa');
      w.stage.fail(call, 'githubUnavailable');
      expect([call, await codeOf(w.refresh(mona))]).toEqual([call, 'githubUnavailable']);
      expect([call, w.role()]).toEqual([call, 'member']);
      expect([call, await codeOf(w.refresh(mona)), w.role()]).toEqual([call, 'passes', null]);
    }
  });

  it('is an error for all requests that wait for the same answer', async () => {
    const w = await world();
    w.stage.fail('members.role', 'githubUnavailable');
    const outcomes = await Promise.all([codeOf(w.refresh(mona)), codeOf(w.refresh(mona))]);
    expect(outcomes).toEqual(['githubUnavailable', 'githubUnavailable']);
    expect(await codeOf(w.refresh(mona))).toBe('passes');
  });
});

describe('the current role of a person', () => {
  it('is read with the person’s new login', async () => {
    const w = await world();
    w.members.logins.set(mona.githubId, 'mona-now');
    expect(await rereadRole(w, w.org, mona)).toEqual({ role: 'member', login: 'mona-now' });
  });

  it.each([{ suspended: true }, { installationId: 0 }])(
    'is unknown, without a request: %j',
    async (change) => {
      const w = await world();
      expect(await rereadRole(w, { ...w.org, ...change }, mona)).toBe('unknown');
      expect(w.stage.calls).toEqual([]);
    },
  );

  it('is unknown if GitHub refuses because the App was suspended, which is stored', async () => {
    const w = await world();
    w.installations.suspend();
    w.stage.fail('members.role', 'installationSuspended');
    expect(await rereadRole(w, w.org, mona)).toBe('unknown');
    expect(w.organizations.stored).toMatchObject([{ suspended: true }]);
  });
});
