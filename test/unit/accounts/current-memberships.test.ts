import { describe, expect, it } from '@jest/globals';
import { createCurrentMemberships } from '../../../src/accounts/current-memberships.ts';
import { AppError } from '../../../src/app-error.ts';
import { anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const mona = { userId: 'record', githubId: 11, login: 'mona' };
const octocat = { userId: 'other-record', githubId: 12, login: 'octocat' };

async function world() {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage) };
  const org = await deps.organizations.save(anInstallation());
  deps.installations.all.push({ ...anInstallation(), repositories: [] });
  deps.members.set(9, mona.githubId, 'member');
  deps.members.logins.set(mona.githubId, 'mona');
  deps.memberships.put(org, { ...mona, role: 'member' }, { userId: 'record' });
  deps.stage.calls.splice(0);
  const current = createCurrentMemberships(deps);
  return {
    ...deps,
    org,
    current,
    asked: (call = 'members.role') => deps.stage.calls.filter((one) => one === call).length,
    /** The role that is stored, or null. */
    role: () => deps.memberships.stored.find(({ githubId }) => githubId === mona.githubId)?.role ?? null,
  };
}

type World = Awaited<ReturnType<typeof world>>;

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'passes',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

const outage = () => new AppError('githubUnavailable');

describe('the memberships of a person', () => {
  it('are asked of GitHub once a minute', async () => {
    const w = await world();
    await w.current(mona);
    w.clock.pass(59_999);
    await w.current(mona);
    expect(w.asked()).toBe(1);
    w.clock.pass(1);
    await w.current(mona);
    expect(w.asked()).toBe(2);
  });

  it('are asked once for many requests at the same moment, and all wait for the answer', async () => {
    const w = await world();
    let isAnswered = false;
    w.stage.gate = async (call) => {
      if (call !== 'members.role answered') return;
      await new Promise((done) => setImmediate(done));
      isAnswered = true;
    };
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await w.current(mona);
        expect(isAnswered).toBe(true);
      }),
    );
    expect(w.asked()).toBe(1);
  });

  it('of two people are asked for each', async () => {
    const w = await world();
    w.memberships.put(w.org, { ...octocat, role: 'member' }, { userId: octocat.userId });
    await w.current(mona);
    await w.current(octocat);
    // A no is asked for twice.
    expect(w.asked()).toBe(3);
    expect(w.memberships.stored.map(({ login }) => login)).toEqual(['mona']);
  });

  it('that GitHub confirms are not written again', async () => {
    const w = await world();
    await w.current(mona);
    expect(w.stage.calls).toEqual(['memberships.of', 'members.role']);
  });

  it.each(['admin', 'member'] as const)('have the role that GitHub says now: %s', async (role) => {
    const w = await world();
    for (const one of w.memberships.stored) one.role = role === 'admin' ? 'member' : 'admin';
    w.members.set(9, mona.githubId, role);
    await w.current(mona);
    expect(w.role()).toBe(role);
  });

  it('end where GitHub says that the person is no member', async () => {
    const w = await world();
    w.members.roles.clear();
    await w.current(mona);
    expect(w.role()).toBeNull();
  });

  it('end within a minute, though no webhook came', async () => {
    const w = await world();
    await w.current(mona);
    w.members.roles.clear();
    await w.current(mona);
    expect(w.role()).toBe('member');
    w.clock.pass(60_000);
    await w.current(mona);
    expect(w.role()).toBeNull();
  });

  it('end in one organization and stay in another', async () => {
    const w = await world();
    const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
    const other = await w.organizations.save(anInstallation({ id: 6, account }));
    w.memberships.put(other, { ...mona, role: 'admin' }, { userId: 'record' });
    w.members.set(10, mona.githubId, 'admin');
    w.members.roles.delete('9:11');
    await w.current(mona);
    expect(w.memberships.stored).toMatchObject([{ org: other.id, role: 'admin' }]);
  });

  it('end also for an account that GitHub knows no more', async () => {
    const w = await world();
    w.members.roles.clear();
    w.members.logins.clear();
    await w.current(mona);
    expect(w.role()).toBeNull();
  });

  it('of nobody who has signed in are nothing to ask about', async () => {
    const w = await world();
    await w.current({ userId: 'nobody', githubId: 13, login: 'nobody' });
    expect(w.stage.calls).toEqual(['memberships.of']);
  });
});

describe('another name', () => {
  it.each<[string, (w: World) => void]>([
    ['of the person', (w) => w.members.logins.set(mona.githubId, 'mona-lisa')],
    [
      'of the organization',
      (w) => {
        w.members.orgNames.set(9, 'octo-new');
        for (const one of w.installations.all) one.account = { ...one.account, login: 'octo-new' };
      },
    ],
    [
      'of both',
      (w) => {
        w.members.logins.set(mona.githubId, 'mona-lisa');
        w.members.orgNames.set(9, 'octo-new');
        for (const one of w.installations.all) one.account = { ...one.account, login: 'octo-new' };
      },
    ],
  ])('%s keeps everything', async (_what, rename) => {
    const w = await world();
    rename(w);
    await w.current(mona);
    expect(w.role()).toBe('member');
    expect(w.organizations.stored[0]?.name).toBe(w.members.orgNames.get(9) ?? 'octo-org');
  });

  it('of somebody who left as well keeps nothing', async () => {
    const w = await world();
    w.members.logins.set(mona.githubId, 'mona-lisa');
    w.members.roles.clear();
    await w.current(mona);
    expect(w.role()).toBeNull();
  });

  it('brings the role that GitHub says under it', async () => {
    const w = await world();
    w.members.logins.set(mona.githubId, 'mona-lisa');
    w.members.set(9, mona.githubId, 'admin');
    await w.current(mona);
    expect(w.role()).toBe('admin');
  });
});

describe('an App that can vouch for nobody', () => {
  it.each<[string, (w: World) => unknown]>([
    ['is suspended, and we know', (w) => w.organizations.save(anInstallation({ suspended: true }))],
    ['was removed, and we know', (w) => w.organizations.removed(5)],
    [
      'is suspended since a moment',
      (w) => {
        for (const one of w.installations.all) one.suspended = true;
      },
    ],
    ['was removed a moment ago', (w) => w.installations.all.splice(0)],
  ])('changes nothing where it %s', async (_what, change) => {
    const w = await world();
    w.members.roles.clear();
    await change(w);
    await w.current(mona);
    expect(w.role()).toBe('member');
  });

  it.each<[string, (w: World) => void, object]>([
    [
      'suspended',
      (w) => {
        for (const one of w.installations.all) one.suspended = true;
      },
      { suspended: true, installationId: 5 },
    ],
    ['removed', (w) => void w.installations.all.splice(0), { installationId: 0 }],
  ])('is noted as %s, so that nothing but its name is shown', async (_what, change, noted) => {
    const w = await world();
    w.members.roles.clear();
    change(w);
    await w.current(mona);
    expect(w.organizations.stored).toMatchObject([noted]);
  });
});

describe('a failure of GitHub or the record store', () => {
  it('shows nothing, whichever call it is, and is asked again', async () => {
    const plain = await world();
    plain.members.roles.clear();
    plain.members.logins.set(mona.githubId, 'mona-lisa');
    await plain.current(mona);
    const calls = [...new Set(plain.stage.calls)];
    expect(calls).toEqual([
      'memberships.of',
      'members.role',
      'installations.get',
      'organizations.save',
      'members.loginOf',
      'memberships.save',
    ]);
    for (const call of calls) {
      const w = await world();
      w.members.roles.clear();
      w.members.logins.set(mona.githubId, 'mona-lisa');
      w.stage.fail(call, outage());
      expect([call, await codeOf(w.current(mona))]).toEqual([call, 'githubUnavailable']);
      expect([call, w.role()]).toEqual([call, 'member']);
      expect([call, await codeOf(w.current(mona)), w.role()]).toEqual([call, 'passes', null]);
    }
  });

  it('fails for all who wait for the same answer', async () => {
    const w = await world();
    w.stage.fail('members.role', outage());
    const outcomes = await Promise.all([codeOf(w.current(mona)), codeOf(w.current(mona))]);
    expect(outcomes).toEqual(['githubUnavailable', 'githubUnavailable']);
    expect(await codeOf(w.current(mona))).toBe('passes');
  });

  it('in one organization shows nothing of the others either', async () => {
    const w = await world();
    const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
    const other = await w.organizations.save(anInstallation({ id: 6, account }));
    w.memberships.put(other, { ...mona, role: 'admin' }, { userId: 'record' });
    w.members.set(10, mona.githubId, 'admin');
    w.stage.fail('members.role', outage());
    expect(await codeOf(w.current(mona))).toBe('githubUnavailable');
  });

  it('does not keep a yes of before', async () => {
    const w = await world();
    await w.current(mona);
    w.clock.pass(60_000);
    w.stage.fail('members.role', outage(), { times: 2 });
    expect(await codeOf(w.current(mona))).toBe('githubUnavailable');
    expect(await codeOf(w.current(mona))).toBe('githubUnavailable');
    expect(await codeOf(w.current(mona))).toBe('passes');
  });
});
