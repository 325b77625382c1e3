import { describe, expect, it } from '@jest/globals';
import { syncAllMembers, syncMembers } from '../../../src/organizations/sync-members.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const MONA = { githubId: 11, login: 'mona', role: 'member' as const };
const OCTOCAT = { githubId: 12, login: 'octocat', role: 'admin' as const };

async function world() {
  const stores = fakeStores();
  const faults: object[] = [];
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    onSyncFailed: (_error: unknown, at: object) => void faults.push(at),
  };
  const org = await deps.organizations.save(anInstallation());
  deps.installations.all.push({ ...anInstallation(), repositories: [] });
  deps.members.lists?.set(9, [OCTOCAT, MONA]);
  return { ...deps, faults, org, stored: () => deps.memberships.stored };
}

describe('reading the members of an organization', () => {
  it('stores those that GitHub lists, with the time before the question', async () => {
    const w = await world();
    w.memberships.put(w.org, { githubId: 13, login: 'hubot', role: 'admin' }, { userId: 'hubot' });
    w.memberships.put(w.org, { ...MONA, role: 'admin' }, { userId: 'mona' });
    const before = w.clock.now();
    w.stage.gate = async (call) => {
      if (call === 'members.list') w.clock.pass(5_000);
    };
    await syncMembers(w, w.org);
    expect(w.stored()).toMatchObject([
      { ...OCTOCAT, userId: '' },
      { ...MONA, userId: 'mona' },
    ]);
    expect(w.organizations.stored[0]?.membersAt).toEqual(before);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof world>>) => void]>([
    ['GitHub does not show them to the installation', (w) => (w.members.lists = null)],
    ['GitHub shows an empty list, which no organization has', (w) => void w.members.lists?.set(9, [])],
  ])('changes nothing if %s', async (_what, change) => {
    const w = await world();
    await syncMembers(w, w.org);
    const before = structuredClone(w.stored());
    change(w);
    w.clock.pass(60_000);
    await syncMembers(w, w.org);
    expect(w.stored()).toEqual(before);
    expect(w.organizations.stored[0]?.membersAt).not.toEqual(w.clock.now());
  });

  it.each([
    ['a personal account', { accountType: 'User' as const }],
    ['an organization without the App', { installationId: 0 }],
    ['an organization whose App is suspended', { suspended: true }],
  ])('asks nothing about %s', async (_what, change) => {
    const w = await world();
    w.stage.calls.splice(0);
    await syncMembers(w, { ...w.org, ...change });
    expect(w.stage.calls).toEqual([]);
  });

  it('changes nothing while GitHub does not answer', async () => {
    const w = await world();
    w.memberships.put(w.org, MONA, { userId: 'mona' });
    w.stage.fail('members.list', 'githubUnavailable');
    expect(await codeOf(syncMembers(w, w.org))).toBe('githubUnavailable');
    expect(w.stored()).toMatchObject([MONA]);
  });
});

describe('reading the members of all organizations', () => {
  async function two() {
    const w = await world();
    const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
    w.installations.all.push({ ...anInstallation({ id: 6, account }), repositories: [] });
    w.members.lists?.set(10, [{ githubId: 13, login: 'hubot', role: 'admin' }]);
    return w;
  }

  it('stores each organization and its members', async () => {
    const w = await two();
    await syncAllMembers(w);
    expect(w.organizations.stored.map(({ name }) => name)).toEqual(['octo-org', 'other-org']);
    expect([w.stored().map(({ login }) => login), w.faults]).toEqual([['octocat', 'mona', 'hubot'], []]);
  });

  it('goes on if one cannot be read, and logs it', async () => {
    for (const call of ['organizations.save', 'members.list', 'memberships.replace']) {
      const w = await two();
      w.stage.fail(call, 'githubUnavailable');
      await syncAllMembers(w);
      expect([call, w.faults]).toEqual([call, [{ repository: 'octo-org/*' }]]);
      expect(w.stored().map(({ login }) => login)).toEqual(['hubot']);
    }
  });
});
