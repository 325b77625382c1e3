import { describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../../src/adapters/github/installation-payload.ts';
import { createMembershipsAtSignIn } from '../../../src/organizations/refresh-memberships.ts';
import { signIn } from '../../../src/people/sign-in.ts';
import { codeOf } from '../../support/code-of.ts';
import {
  anInstallation,
  FakeMemberships,
  FakeOrganizations,
  FakeUsers,
  FakeUserTokens,
  fakeGitHub,
  Stage,
} from '../../support/fakes.ts';
import { githubFixture } from '../../support/fixtures.ts';

const mona = { id: 11, login: 'mona', avatarUrl: 'https://avatars.example/mona' };

function world() {
  const stage = new Stage();
  const tokens = new FakeUserTokens(stage);
  const users = new FakeUsers(stage);
  const organizations = new FakeOrganizations(stage);
  const memberships = new FakeMemberships(stage, organizations);
  const { installations, members } = fakeGitHub(stage);
  installations.all.push({ ...anInstallation(), repositories: [] });
  const membershipsAtSignIn = createMembershipsAtSignIn({
    ...{ tokens, organizations, memberships, installations, members },
  });
  tokens.owners.set('ghu_monas', mona);
  tokens.visible = [anInstallation()];
  tokens.active = [{ orgId: 9, role: 'member' }];
  return {
    stage,
    tokens,
    users,
    organizations,
    members,
    signIn: (accessToken = 'ghu_monas') =>
      signIn({ tokens, users, membershipsAtSignIn }, { userId: 'record', accessToken }),
    stored: memberships,
    memberships: () =>
      memberships.stored.map(({ org, role }) => ({
        orgId: organizations.stored.find(({ id }) => id === org)?.orgId,
        role,
      })),
  };
}

const personal = (id: number) =>
  anInstallation({
    id: 6,
    account: { id, login: 'someone', type: 'User', htmlUrl: 'https://github.com/someone' },
  });

describe('finishing a sign-in', () => {
  it('stores the profile and the memberships that GitHub has', async () => {
    const w = world();
    await w.signIn();
    expect([w.users.profiles.get('record'), w.memberships()]).toEqual([mona, [{ orgId: 9, role: 'member' }]]);
    expect(w.organizations.stored).toMatchObject([{ orgId: 9, name: 'octo-org' }]);
  });

  it.each<[string, (w: ReturnType<typeof world>) => void, object[]]>([
    [
      'makes owners admins',
      (w) => (w.tokens.active = [{ orgId: 9, role: 'admin' }]),
      [{ orgId: 9, role: 'admin' }],
    ],
    ['does not make an outside collaborator a member', (w) => (w.tokens.active = []), []],
    [
      'does not make a member of another organization a member of this one',
      (w) => (w.tokens.active = [{ orgId: 10, role: 'admin' }]),
      [],
    ],
    ['gives no membership in an organization without an installation', (w) => (w.tokens.visible = []), []],
    [
      'makes the owner of a personal account its admin',
      (w) => (w.tokens.visible = [personal(11)]),
      [{ orgId: 11, role: 'admin' }],
    ],
    [
      'makes a collaborator of a personal account a member',
      (w) => (w.tokens.visible = [personal(12)]),
      [{ orgId: 12, role: 'member' }],
    ],
  ])('%s', async (_what, change, memberships) => {
    const w = world();
    change(w);
    await w.signIn();
    expect(w.memberships()).toEqual(memberships);
  });

  it('updates everything at the next sign-in', async () => {
    const w = world();
    await w.signIn();
    w.tokens.owners.set('ghu_monas', { ...mona, login: 'mona-lisa' });
    w.tokens.active = [];
    await w.signIn();
    expect([w.users.profiles.get('record')?.login, w.memberships()]).toEqual(['mona-lisa', []]);
  });

  it.each([['member'], ['admin']] as const)(
    'keeps a stored %s whom their token doesn’t show, as without single sign-on, if GitHub still lists them',
    async (role) => {
      const w = world();
      await w.signIn();
      w.tokens.visible = [];
      w.tokens.active = [];
      w.members.set(9, 11, role);
      await w.signIn();
      expect(w.memberships()).toEqual([{ orgId: 9, role }]);
    },
  );

  it('keeps a stored member about whom GitHub doesn’t answer, and signs them in', async () => {
    const w = world();
    await w.signIn();
    w.tokens.active = [];
    w.stage.fail('members.role', 'githubUnavailable');
    await w.signIn();
    expect(w.memberships()).toEqual([{ orgId: 9, role: 'member' }]);
  });

  it('links a member that a list of GitHub brought to their own record', async () => {
    const w = world();
    const org = await w.organizations.save(anInstallation());
    w.stored.put(org, { githubId: 11, login: 'mona', role: 'admin' });
    w.tokens.visible = [];
    w.members.set(9, 11, 'admin');
    await w.signIn();
    expect(w.stored.stored).toMatchObject([{ githubId: 11, userId: 'record', role: 'admin' }]);
  });

  it('refuses a token of another App, and stores nothing', async () => {
    const w = world();
    expect(await codeOf(w.signIn('gho_anothers'))).toBe('notAuthorizedWithGitHub');
    expect([w.users.profiles.size, w.memberships(), w.organizations.stored]).toEqual([0, [], []]);
  });

  it('refuses a record that belongs to another GitHub user, and undoes the link', async () => {
    const w = world();
    await w.signIn();
    w.tokens.owners.set('ghu_others', { id: 12, login: 'other', avatarUrl: '' });
    expect(await codeOf(w.signIn('ghu_others'))).toBe('accountRelinked');
    expect(w.users.unlinked).toEqual([{ userId: 'record', githubId: 12 }]);
    expect([w.users.profiles.get('record'), w.memberships()]).toEqual([mona, [{ orgId: 9, role: 'member' }]]);
  });

  it('lets nobody in if any call of GitHub or the record store fails', async () => {
    const plain = world();
    await plain.signIn();
    const calls = new Set(plain.stage.calls);
    expect(calls.size).toBe(8);
    for (const call of calls) {
      const w = world();
      w.stage.fail(call, 'githubUnavailable');
      expect([call, await codeOf(w.signIn())]).toEqual([call, 'githubUnavailable']);
    }
  });
});

describe('an installation in GitHub’s format', () => {
  it.each(Object.entries({ installation: 'Organization', 'installation-user': 'User' }))(
    '%s',
    (fixture, type) => {
      const raw = githubFixture(fixture);
      expect(toInstallation(raw, 'https://github.com')).toEqual({
        id: raw.id,
        account: { id: raw.account.id, login: raw.account.login, type, htmlUrl: raw.account.html_url },
        suspended: false,
        repositorySelection: raw.repository_selection,
        settingsUrl: raw.html_url,
        permissions: raw.permissions,
      });
    },
  );

  it('has a settings link on the server if GitHub gives none', () => {
    const raw = githubFixture('installation', (one) => {
      delete one.html_url;
      one.repository_selection = 'selected';
    });
    expect(toInstallation(raw, 'https://github.example.com')).toMatchObject({
      repositorySelection: 'selected',
      settingsUrl: `https://github.example.com/settings/installations/${raw.id}`,
    });
  });

  it.each<[string, object]>([
    ['on an enterprise', { target_type: 'Enterprise', account: { id: 1, slug: 'octo' } }],
    ['on nothing', { account: null }],
    ['on what has no name', { account: { id: 1 } }],
    ['on a bot', { target_type: 'Bot' }],
  ])('is ignored if it is %s', (_what, change) => {
    const raw = githubFixture('installation', (one) => Object.assign(one, change));
    expect(toInstallation(raw, 'https://github.com')).toBeNull();
  });
});
