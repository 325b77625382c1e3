import { describe, expect, it } from '@jest/globals';
import { authorizeApprover } from '../../../src/approvals/approve/authorize-approver.ts';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import type { ApprovalTarget } from '../../../src/contract/approvals.ts';
import type { RepositoryRef } from '../../../src/organizations/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, anOpenPull, aPull, HEAD } from '../../support/fakes.ts';
import { OTHER, type World, world as wholeWorld } from './world.ts';

const mona = { githubId: 11, login: 'mona' };
const target = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 7, head: HEAD };

/** As for an approval, which also asks for the open pull requests. */
const authorize = (w: World, person: typeof mona, wanted: ApprovalTarget) =>
  authorizeApprover(w, person, wanted, { head: { repoId: 42 } });

function world() {
  const w = wholeWorld();
  w.members.set(9, mona.githubId, 'member');
  return w;
}

describe('an approval target that GitHub confirms', () => {
  it('is returned as GitHub has it, and its organization is stored', async () => {
    const w = world();
    const found = await authorize(w, mona, target);
    expect(found).toMatchObject({
      org: { orgId: 9, name: 'octo-org', installationId: 5, suspended: false },
      repo: { installation: 5, owner: 'octo-org', name: 'hello' },
      pull: aPull(),
      reading: { run: null, pulls: [aPull()] },
    });
    expect(w.organizations.stored).toHaveLength(1);
  });

  it.each([
    ['renamed', { account: { ...anInstallation().account, login: 'former-name' } }],
    ['no longer suspended', { suspended: true }],
  ])('updates a stored organization that was %s', async (_what, before) => {
    const w = world();
    await w.organizations.save(anInstallation(before));
    const now = { name: 'octo-org', suspended: false };
    expect((await authorize(w, mona, target)).org).toMatchObject(now);
    expect(w.organizations.stored).toMatchObject([now]);
  });

  it.each(['read', 'write'] as const)(
    'can be approved in a personal account only by collaborators who can write: %s',
    async (level) => {
      const w = world();
      for (const one of w.installations.all) one.account.type = 'User';
      w.members.writers.clear();
      if (level === 'write') w.members.writers.add(mona.githubId);
      const outcome = await authorize(w, mona, target).then(
        () => 'taken',
        (error: { code: string }) => error.code,
      );
      expect(outcome).toBe(level === 'write' ? 'taken' : 'noRepositoryAccess');
    },
  );

  it('has the names from GitHub, not those from the client', async () => {
    const { repo } = await authorize(world(), mona, { ...target, owner: 'OCTO-ORG', repo: 'HELLO' });
    expect(repo).toEqual({ installation: 5, owner: 'octo-org', name: 'hello' });
  });

  it('has the pull request in its list of open pull requests even if GitHub’s list lags', async () => {
    const w = world();
    const { listOpen } = w.pulls;
    w.pulls.listOpen = async (repo) => (await listOpen.call(w.pulls, repo))?.slice(1) ?? null;
    expect((await authorize(w, mona, target)).reading.pulls).toEqual([aPull()]);
  });

  it('is read with parallel requests if the organization is known and the person was a member before', async () => {
    const w = world();
    await authorize(w, mona, target);
    w.stage.calls.splice(0);
    let atOnce = 0;
    w.stage.gate = async (call) => {
      if (call === 'installations.get answered') atOnce = w.stage.calls.length;
    };
    await authorize(w, mona, target);
    expect(atOnce).toBeGreaterThanOrEqual(6);
  });
});

function changePulls(w: World, change: Partial<PullRequest>): void {
  w.pulls.all = (w.pulls.all ?? []).map((pull) => ({ ...pull, ...change }));
}

/** In the order of the checks: the first fault decides. */
const REFUSALS: [code: string, fault: (w: World) => void][] = [
  ['installationNotFound', (w) => w.installations.all.splice(0)],
  ['installationSuspended', (w) => w.installations.suspend()],
  ['notMember', (w) => w.members.roles.clear()],
  ['pullNotFound', (w) => (w.pulls.all = null)],
  ['noRepositoryAccess', (w) => w.members.readers.clear()],
  ['pullMerged', (w) => changePulls(w, { open: false, merged: true })],
  ['pullClosed', (w) => changePulls(w, { open: false })],
  ['headMoved', (w) => changePulls(w, { head: OTHER })],
];

describe('an approval target that GitHub does not confirm', () => {
  it('is refused with the first of several reasons', async () => {
    for (let first = 0; first < REFUSALS.length; first += 1) {
      const w = world();
      for (const [, fault] of REFUSALS.slice(first)) fault(w);
      expect(await codeOf(authorize(w, mona, target))).toBe(REFUSALS[first]?.[0]);
      expect(w.stage.calls).not.toContain('organizations.save');
    }
  });

  it.each([
    ['an installation of another organization', { ownerID: 10 }, 'installationNotFound'],
    ['another installation', { installation: 6 }, 'installationNotFound'],
    ['another pull request', { pr: 8 }, 'pullNotFound'],
    ['another head', { head: OTHER }, 'headMoved'],
    ['a head that is cut', { head: HEAD.slice(0, 39) }, 'headMoved'],
  ])('is refused for %s', async (_what, change, code) => {
    expect(await codeOf(authorize(world(), mona, { ...target, ...change }))).toBe(code);
  });

  it.each<[string, string, (w: World) => unknown, typeof mona?]>([
    [
      'the pull request belongs to another owner’s repository',
      'pullNotFound',
      (w) => changePulls(w, { repo: { ...aPull().repo, ownerId: 10 } }),
    ],
    [
      'the organization is known with another installation',
      'installationNotFound',
      (w) => w.installations.all.splice(0) && w.organizations.save(anInstallation({ id: 6 })),
    ],
    [
      'GitHub says that the stored installation belongs to another account',
      'installationNotFound',
      async (w) => {
        await w.organizations.save(anInstallation());
        for (const one of w.installations.all) one.account = { ...one.account, id: 10, login: 'other-org' };
        changePulls(w, { repo: { ...aPull().repo, owner: 'other-org', ownerId: 10 } });
      },
    ],
    ['another person has the member’s login', 'notMember', () => undefined, { githubId: 12, login: 'mona' }],
  ])('is refused if %s', async (_what, code, change, person = mona) => {
    const w = world();
    await change(w);
    expect(await codeOf(authorize(w, person, target))).toBe(code);
  });

  it('is refused if any call of GitHub or the record store fails', async () => {
    const plain = world();
    await authorize(plain, mona, target);
    const calls = new Set(plain.stage.calls);
    expect(calls.size).toBe(8);
    for (const call of calls) {
      const w = world();
      w.stage.fail(call, 'githubUnavailable');
      expect([call, await codeOf(authorize(w, mona, target))]).toEqual([call, 'githubUnavailable']);
    }
  });
});

describe('a target from before a change', () => {
  const there = { id: 42, owner: 'other-org', name: 'moved', ownerId: 10 };

  /** Each installation's view of GitHub: the pull request under a repository's names. */
  function shows(w: World, seen: Record<string, PullRequest>): void {
    const at = ({ installation, owner, name }: RepositoryRef) =>
      seen[`${installation} ${owner}/${name}`] ?? null;
    w.pulls.get = async (repo) => at(repo);
    w.pulls.listOpen = async (repo) => [at(repo)].filter((pull) => pull !== null);
  }

  /** `other-org` has the App too, and the store knows both organizations and the pull request. */
  async function moved(repo: PullRequest['repo'] = there, installation = 6): Promise<World> {
    const w = world();
    const account = { ...anInstallation().account, id: 10, login: 'other-org' };
    w.installations.all.push({ ...anInstallation({ id: 6, account }), repositories: [] });
    for (const one of w.installations.all) await w.organizations.save(one);
    await w.openPulls.save(repo.ownerId, [anOpenPull({ repoName: repo.name })], new Date());
    w.members.set(repo.ownerId, mona.githubId, 'member');
    // GitHub redirects from the former names.
    const pull = aPull({ repo });
    shows(w, {
      [`${installation} octo-org/hello`]: pull,
      [`${installation} ${repo.owner}/${repo.name}`]: pull,
    });
    return w;
  }

  it.each([undefined, 42])('is found after a transfer of the repository (its id: %p)', async (repoID) => {
    const w = await moved();
    const { org, repo, pull } = await authorize(w, mona, { ...target, repoID });
    expect([org.orgId, repo, pull.repo.id]).toEqual([
      10,
      { installation: 6, owner: 'other-org', name: 'moved' },
      42,
    ]);
  });

  it.each([undefined, 42])('is found after a new installation (repository id: %p)', async (repoID) => {
    const w = await moved(aPull().repo, 8);
    await w.organizations.save(anInstallation({ id: 8 }));
    w.installations.all.splice(0, 1, { ...anInstallation({ id: 8 }), repositories: [] });
    const { repo } = await authorize(w, mona, { ...target, repoID });
    expect(repo).toEqual({ installation: 8, owner: 'octo-org', name: 'hello' });
  });

  it('is the repository with its id if another one has taken its name', async () => {
    const renamed = { ...aPull().repo, name: 'renamed' };
    const w = await moved(renamed, 5);
    const successor = aPull({ repo: { ...aPull().repo, id: 77 } });
    shows(w, { '5 octo-org/hello': successor, '5 octo-org/renamed': aPull({ repo: renamed }) });
    const { pull } = await authorize(w, mona, { ...target, repoID: 42 });
    expect(pull.repo).toEqual(renamed);
    w.openPulls.saved.splice(0);
    expect(await codeOf(authorize(w, mona, { ...target, repoID: 42 }))).toBe('pullNotFound');
  });

  it.each<[string, string, (w: World) => void, object?]>([
    ['a person who is no member there now', 'pullNotFound', (w) => void w.members.roles.delete('10:11')],
    ['a person who is a member of neither', 'notMember', (w) => w.members.roles.clear()],
    ['a person who cannot read it there', 'pullNotFound', (w) => w.members.readers.clear()],
    ['a former one, a stranger', 'installationNotFound', (w) => w.members.roles.clear(), { installation: 4 }],
    ['an installation of another account', 'installationNotFound', () => undefined, { installation: 6 }],
    [
      'a copy in another organization, to which GitHub does not redirect',
      'pullNotFound',
      (w) => shows(w, { '6 other-org/moved': aPull({ repo: there }) }),
    ],
    [
      'two organizations that have such a pull request',
      'pullNotFound',
      (w) => void w.openPulls.saved.push({ ...w.openPulls.saved[0], repoId: 43, orgId: 9 } as never),
    ],
  ])('gets the same refusal as before for %s', async (_what, code, change, other = {}) => {
    const w = await moved();
    change(w);
    expect(await codeOf(authorize(w, mona, { ...target, ...other }))).toBe(code);
  });
});

describe('a stranger', () => {
  it.each([
    ['Organization', 'members.role', 'notMember'],
    // The question who is a member there can take a request per repository.
    ['User', 'members.permission', 'noRepositoryAccess'],
  ] as const)('costs one request to GitHub, of an account of type %s', async (type, request, code) => {
    const w = world();
    const { account } = anInstallation();
    await w.organizations.save(anInstallation({ account: { ...account, type } }));
    w.members.expected = false;
    const stranger = { githubId: 12, login: 'eve' };
    expect(await codeOf(authorize(w, stranger, target))).toBe(code);
    const requests = w.stage.calls.filter((call) => /^(members|pullRequests|installations)\./.test(call));
    expect(requests).toEqual([request]);
  });
});
