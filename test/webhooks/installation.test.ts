import { describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/adapters/github/installation-payload.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { watchAccount } from '../../src/protection/watch.ts';
import { anOpenPull } from '../support/fakes.ts';
import { githubFixture } from '../support/fixtures.ts';
import { CHECK_RUNS, INSTALLATION, MEMBERS, PULLS, REPOSITORIES, RUNS_OF_HEAD, reply, STORY } from './bot.ts';
import { bot, github, runs } from './fresh-bot.ts';

/** The record store already has the organization. */
async function record(): Promise<void> {
  const installation = toInstallation(githubFixture('installation'), 'https://github.com');
  if (installation) await bot.organizations.save(installation);
}

/** `Octocoders/Space`. */
const SPACE = 186853007;
const inSpace = (path: string) => path.replace(STORY.name, 'Space');

const noted = (repoId: number) => anOpenPull({ repoId, pr: 1 });

const ORGANIZATION = {
  id: expect.any(String),
  orgId: STORY.ownerId,
  name: STORY.owner,
  installationId: STORY.installation,
  accountType: 'Organization',
  suspended: false,
  htmlUrl: 'https://github.com/Octocoders',
  membersAt: null as unknown,
};

describe('an installation', () => {
  it.each(['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'])(
    'is saved with its members, and its open pull requests get a check run, on %s',
    async (fixture) => {
      github.expects('GET', MEMBERS, reply.members, 3);
      github.answers('GET', REPOSITORIES, reply.repositories);
      github.answers('GET', PULLS, reply.pulls());
      github.expects('GET', RUNS_OF_HEAD, reply.noRuns);
      github.expects('POST', CHECK_RUNS, reply.run);
      await bot.deliver(fixture);
      expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, membersAt: bot.clock.now() }]);
      expect(bot.memberships.stored).toMatchObject([
        { githubId: 21031067, login: 'Codertocat', role: 'admin' },
        { githubId: 39652351, login: 'hacktocat', role: 'member' },
      ]);
      expect(runs()).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);
      expect(bot.faults).toEqual([]);
    },
  );

  it('gets its check runs even if GitHub does not list its members', async () => {
    github.answers('GET', MEMBERS, { status: 500, body: {} });
    github.answers('GET', REPOSITORIES, reply.repositories);
    github.answers('GET', PULLS, reply.pulls());
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('installation.created');
    expect(bot.faults).toHaveLength(1);
  });

  it('becomes suspended and then removed if GitHub confirms it, and its organization stays', async () => {
    const suspended_at = '2026-11-21T00:00:00Z';
    const suspended = githubFixture('installation', (one) => Object.assign(one, { suspended_at }));
    github.expects('GET', INSTALLATION, { status: 200, body: suspended });
    await bot.deliver('installation.suspend');
    expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, suspended: true }]);
    bot.protections.accountNow.isRemoved = true;
    github.expects('GET', INSTALLATION, { status: 404, body: { message: 'Not Found' } });
    github.expects('GET', '/app/installations', { status: 200, body: [] });
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, suspended: true, installationId: 0 }]);
  });

  it.each<[string, (org: Organization) => unknown, number]>([
    ['the reading fails', () => bot.stage.fail('protections.account', 'githubUnavailable'), 957387],
    ['the log fails', () => bot.stage.fail('weakenings.add', 'storeUnavailable'), 957387],
    ['a reconciliation was faster', (org) => watchAccount(bot.deps, org), 0],
  ])('is never removed without an alarm: %s', async (_what, before, id) => {
    await record();
    const [org] = bot.organizations.stored as [Organization];
    await bot.knownAccounts.save(org.id, bot.protections.accountNow);
    bot.protections.accountNow.isRemoved = true;
    await before(org);
    github.answers('GET', INSTALLATION, { status: 404, body: { message: 'Not Found' } });
    github.answers('GET', '/app/installations', { status: 200, body: [] });
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toMatchObject([{ installationId: id }]);
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toMatchObject([{ installationId: 0 }]);
    expect(bot.weakenings.stored).toMatchObject([{ change: { kind: 'appRemoved' }, by: { id: 21031067 } }]);
  });

  it('stays if its App was installed again before the webhook of its end is processed', async () => {
    await record();
    const again = githubFixture('installation', (one) => Object.assign(one, { id: 99 }));
    github.expects('GET', INSTALLATION, { status: 404, body: { message: 'Not Found' } });
    github.expects('GET', '/app/installations', { status: 200, body: [again] });
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, installationId: 99 }]);
  });

  it('is not ended by an old webhook that is delivered again', async () => {
    github.answers('GET', INSTALLATION, { status: 200, body: githubFixture('installation') });
    await bot.deliver('installation.suspend');
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toEqual([ORGANIZATION]);
  });

  it('is ignored on an enterprise', async () => {
    await bot.deliver('installation.created', {
      change: ({ installation }) => {
        installation.target_type = 'Enterprise';
        installation.account = { id: 1, slug: 'octo' };
      },
    });
    expect([bot.organizations.stored, bot.deliveries.worked.size]).toEqual([[], 1]);
  });
});

describe('a repository of an installation', () => {
  it('gets a check run for each open pull request when it is added', async () => {
    github.expects(
      'GET',
      inSpace(PULLS),
      reply.pulls((pulls) => (pulls[0].base.repo.id = SPACE)),
    );
    github.expects('GET', inSpace(RUNS_OF_HEAD), reply.noRuns);
    github.expects('POST', inSpace(CHECK_RUNS), reply.run);
    github.answers('GET', REPOSITORIES, reply.repositories);
    await bot.deliver('installation_repositories.added');
    expect(bot.organizations.stored).toEqual([ORGANIZATION]);
  });

  it('is watched immediately, and so is which repositories the App has', async () => {
    await record();
    const [org] = bot.organizations.stored as [Organization];
    const selected = { ...bot.protections.accountNow, repositorySelection: 'selected' as const };
    await bot.knownAccounts.save(org.id, { ...selected, repositories: [{ id: 1, name: 'prod' }] });
    Object.assign(bot.protections.accountNow, selected, { repositories: [{ id: SPACE, name: 'Space' }] });
    github.answers('GET', inSpace(PULLS), { status: 200, body: [] });
    const listed = githubFixture('installation-repositories');
    Object.assign(listed.repositories[0], { id: SPACE, name: 'Space' });
    github.answers('GET', REPOSITORIES, { status: 200, body: listed });
    await bot.deliver('installation_repositories.added');
    expect(bot.repositoryChecks.stored).toMatchObject([{ id: SPACE, org: org.id }]);
    expect(bot.weakenings.stored).toMatchObject([{ change: { subject: 'prod', after: 'none' } }]);
  });

  it('has no waiting pull requests after it is removed, unless GitHub lists it again', async () => {
    await record();
    const listed = githubFixture('installation-repositories');
    listed.repositories[0].id = SPACE;
    github.expects('GET', REPOSITORIES, { status: 200, body: listed });
    github.expects('GET', REPOSITORIES, reply.repositories);
    await bot.openPulls.save(STORY.ownerId, [noted(SPACE), noted(STORY.repoId)], bot.clock.now());
    await bot.deliver('installation_repositories.removed');
    expect(bot.openPulls.saved).toHaveLength(2);
    await bot.deliver('installation_repositories.removed');
    expect(bot.openPulls.saved.map(({ repoId }) => repoId)).toEqual([STORY.repoId]);
  });
});
