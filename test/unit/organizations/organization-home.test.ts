import { describe, expect, it } from '@jest/globals';
import { organizationHome } from '../../../src/organizations/organization-home.ts';
import { organizationMembers } from '../../../src/organizations/organization-members.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, anOpenPull, fakeGitHub, fakeStores, HEAD } from '../../support/fakes.ts';

const mona = { userId: 'mona', githubId: 11, login: 'mona' };
const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

async function world() {
  const stores = fakeStores();
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
  };
  const org = await deps.organizations.save(anInstallation());
  deps.installations.all.push({ ...anInstallation(), repositories: [] });
  deps.members.set(9, mona.githubId, 'member');
  deps.members.set(9, octocat.githubId, 'admin');
  deps.memberships.put(org, { ...mona, role: 'member' }, { userId: 'mona', enrolled: true });
  deps.memberships.put(org, { ...octocat, role: 'admin' }, { userId: 'octocat' });
  deps.stage.calls.splice(0);
  return {
    ...deps,
    org,
    home: (session = octocat, orgID = 9) =>
      organizationHome({ ...deps, pullSearch: deps.openPulls, mailer: {} }, { session, orgID }),
    list: (
      input: { session?: typeof octocat; orgID?: number; state?: 'all' | 'missing'; after?: string } = {},
    ) => organizationMembers(deps, { session: octocat, orgID: 9, state: 'all', ...input }),
  };
}

type World = Awaited<ReturnType<typeof world>>;

const pull = anOpenPull();
const SUSPENDED = { role: 'admin', installation: { suspended: true } };

describe('the home of an organization', () => {
  it('shows an owner how many members have an authenticator, and which pull requests wait', async () => {
    const w = await world();
    await w.openPulls.save(9, [pull, { ...pull, pr: 8, approved: true }], w.clock.now());
    expect(await w.home()).toEqual({
      id: 9,
      name: 'octo-org',
      htmlUrl: 'https://github.com/octo-org',
      accountType: 'Organization',
      role: 'admin',
      installation: {
        id: 5,
        suspended: false,
        repositorySelection: 'all',
        settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/5',
      },
      members: {
        ...{ total: 2, enrolled: 1, one: 1, pending: 0, asOf: null },
        ...{ reachable: 0, unreachable: 1, sendsMail: true },
      },
      protection: [
        expect.objectContaining({ part: 'firstAuthenticator', isOpen: true, isSettled: false }),
        expect.objectContaining({ part: 'ownApprovals', isOpen: true, isSettled: false }),
        expect.objectContaining({ part: 'members', text: '1 of 2 members has no authenticator.' }),
      ],
      waiting: {
        total: 1,
        asOf: '1970-01-01T00:00:00.000Z',
        pulls: [
          {
            repo: 'hello',
            pr: 7,
            title: 'A change',
            author: 'mona',
            head: HEAD,
            since: '2026-05-04T12:00:00.000Z',
            url: 'https://github.com/octo-org/hello/pull/7',
            approval: expect.stringMatching(/^\/collect\?/),
            missing: ['Needs 1 approval from a member.'],
          },
        ],
      },
    });
  });

  it('shows a member nothing about other members or waiting pull requests', async () => {
    const w = await world();
    await w.openPulls.save(9, [pull], w.clock.now());
    w.stage.calls.splice(0);
    expect(await w.home(mona)).toMatchObject({ role: 'member', members: null, waiting: null });
    expect(w.stage.calls).not.toContain('memberships.count');
    expect(w.stage.calls).not.toContain('openPulls.list');
  });

  it('uses the role that GitHub has, not the stored one', async () => {
    const w = await world();
    w.members.set(9, octocat.githubId, 'member');
    expect(await w.home()).toMatchObject({ role: 'member', members: null, waiting: null });
    w.members.roles.delete('9:12');
    expect(await codeOf(w.home())).toBe('notMember');
  });

  it.each<[string, (w: World) => unknown, string]>([
    ['is not found if the App was removed', (w) => w.organizations.removed(5), 'installationNotFound'],
    ['is not found without the App', (w) => w.organizations.stored.splice(0), 'installationNotFound'],
    ['is refused to a stranger', (w) => w.members.roles.clear(), 'notMember'],
    [
      'fails closed: members.role',
      (w) => w.stage.fail('members.role', 'githubUnavailable'),
      'githubUnavailable',
    ],
  ])('%s', async (_what, change, code) => {
    const w = await world();
    await change(w);
    expect(await codeOf(w.home())).toBe(code);
  });

  describe('while the App is suspended', () => {
    async function suspended() {
      const w = await world();
      await w.organizations.save(anInstallation({ suspended: true }));
      w.installations.suspend();
      // GitHub tells a suspended App nothing about anyone.
      w.stage.fail('members.role', 'installationSuspended', { times: 2 });
      return w;
    }

    it('says so to its members, and shows owners nothing more', async () => {
      const w = await suspended();
      expect(await w.home()).toMatchObject({ ...SUSPENDED, members: null, waiting: null });
      expect(await w.home(mona)).toMatchObject({ role: 'member', installation: { suspended: true } });
    });

    it('is refused to a stranger', async () => {
      const w = await suspended();
      expect(await codeOf(w.home({ userId: 'hubot', githubId: 13, login: 'hubot' }))).toBe('notMember');
    });

    it('says so to its members even if the record store does not know it yet', async () => {
      const w = await world();
      w.installations.suspend();
      w.stage.fail('members.role', 'installationSuspended');
      expect(await w.home()).toMatchObject({ ...SUSPENDED, members: null, waiting: null });
    });
  });
});

describe('the members of an organization', () => {
  it('are listed for its owners by login, with who has an authenticator', async () => {
    const w = await world();
    expect(await w.list()).toMatchObject({
      total: 2,
      members: [
        { id: 11, login: 'mona', role: 'member', enrolled: true, authenticators: 1 },
        { id: 12, login: 'octocat', role: 'admin', enrolled: false, authenticators: 0 },
      ],
      next: null,
    });
    expect((await w.list({ state: 'missing' })).members.map(({ login }) => login)).toEqual(['octocat']);
  });

  it.each([50, 51])('come in pages of fifty, each once: %d of them', async (count) => {
    const w = await world();
    w.memberships.stored.splice(0);
    const logins = Array.from({ length: count }, (_, at) => `member-${String(at).padStart(3, '0')}`);
    for (const [at, login] of logins.entries())
      w.memberships.put(w.org, { githubId: 100 + at, login, role: 'member' });
    const seen: string[] = [];
    let pages = 0;
    let after: string | undefined;
    do {
      const page = await w.list(after === undefined ? {} : { after });
      expect(page.members.length).toBeLessThanOrEqual(50);
      seen.push(...page.members.map(({ login }) => login));
      after = page.next ?? undefined;
      pages += 1;
    } while (after !== undefined);
    expect([seen, pages]).toEqual([logins, Math.ceil(count / 50)]);
  });
});
