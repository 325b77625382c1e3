import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/accounts/github-installation.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  foresee,
  INSTALLATION,
  MEMBERS,
  PULLS,
  REPO,
  REPOSITORIES,
  RUNS_OF_HEAD,
  reply,
  runsOf,
  STORY,
  startBot,
  type TestBot,
  TOKENS,
} from './bot.ts';

let github: NockGitHub;
let bot: TestBot;

beforeEach(async () => {
  github = startNockGitHub();
  bot = await startBot();
});
afterEach(() => github.finish());

/** The record store knows the organization already. */
async function record(): Promise<void> {
  const installation = toInstallation(githubFixture('installation'), 'https://github.com');
  if (installation) await bot.organizations.save(installation);
}

const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;
const NO_SUITES = { status: 200, body: { total_count: 0, check_suites: [] } };

/** `Octocoders/Space`. */
const SPACE = 186853007;

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
    'is recorded with its members, and its open pull requests get their run, on %s',
    async (fixture) => {
      github.expects('POST', TOKENS, reply.token);
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
      expect(github.requests('POST', CHECK_RUNS)[0]?.body).toMatchObject({
        name: 'OTP Guard',
        head_sha: STORY.head,
        status: 'in_progress',
      });
      expect(bot.faults).toEqual([]);
    },
  );

  it('covers every open pull request of every repository, a shared head once', async () => {
    const heads = ['aa', 'bb', 'bb', 'cc'].map((digits) => digits.repeat(20));
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, reply.members);
    for (const head of heads) github.answers('GET', runsOf(head), reply.noRuns);
    github.answers('GET', REPOSITORIES, {
      status: 200,
      body: {
        ...reply.repositories.body,
        total_count: 3,
        repositories: [
          ...reply.repositories.body.repositories,
          { ...reply.repositories.body.repositories[0], id: SPACE, name: 'Space' },
          { ...reply.repositories.body.repositories[0], name: 'Old', archived: true },
        ],
      },
    });
    github.answers(
      'GET',
      PULLS,
      reply.pulls((pulls) => {
        const [pull] = pulls.splice(0);
        for (const [index, sha] of heads.entries())
          pulls.push({ ...pull, number: index + 1, head: { ...pull.head, sha } });
      }),
    );
    github.answers('GET', PULLS.replace(STORY.name, 'Space'), { status: 200, body: [] });
    github.answers('GET', SUITES.replace(STORY.name, 'Space'), NO_SUITES);
    github.expects('POST', CHECK_RUNS, reply.run, 3);
    await bot.deliver('installation.created');
    const made = github.requests('POST', CHECK_RUNS).map(({ body }) => body as { head_sha: string });
    expect(made.map(({ head_sha }) => head_sha)).toEqual([...new Set(heads)]);
  });

  it('reads every page of a long list', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, reply.members);
    github.answers('GET', REPOSITORIES, reply.repositories);
    for (const page of '123') github.answers('GET', runsOf(page.repeat(40)), reply.noRuns);
    github.answers('GET', PULLS, ({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const next = `<https://api.github.com${PULLS}?state=open&per_page=100&page=${page + 1}>; rel="next"`;
      return {
        ...reply.pulls((pulls) => {
          pulls[0].head.sha = String(page).repeat(40);
        }),
        headers: page < 3 ? { link: next } : {},
      };
    });
    github.expects('POST', CHECK_RUNS, reply.run, 3);
    await bot.deliver('installation.created');
    const made = github.requests('POST', CHECK_RUNS).map(({ body }) => body as { head_sha: string });
    expect(made.map(({ head_sha }) => head_sha[0])).toEqual(['1', '2', '3']);
  });

  it('forgets what waited in repositories that it cannot see any more', async () => {
    foresee(github);
    await record();
    const gone = {
      repoId: SPACE,
      repoName: 'Space',
      pr: 1,
      title: '',
      author: '',
      head: '',
      approved: false,
    };
    await bot.openPulls.note(STORY.ownerId, [gone], bot.clock.now());
    github.answers('GET', REPOSITORIES, reply.repositories);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('installation.created');
    expect(bot.openPulls.noted).toMatchObject([{ repoId: STORY.repoId, pr: STORY.pr, approved: false }]);
  });

  it('has its pull requests covered also while GitHub does not list its members', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, { status: 500, body: {} });
    github.answers('GET', REPOSITORIES, reply.repositories);
    github.answers('GET', PULLS, reply.pulls());
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    github.answers('POST', CHECK_RUNS, reply.run);
    await bot.deliver('installation.created');
    expect(github.requests('POST', CHECK_RUNS)).toHaveLength(1);
    expect(bot.faults).toHaveLength(1);
  });

  it.each([403, 404])('keeps its members where GitHub lists none of them (%d)', async (status) => {
    foresee(github);
    github.answers('GET', REPOSITORIES, {
      status: 200,
      body: { total_count: 0, repositories: [] },
    });
    await bot.deliver('installation.created');
    const before = structuredClone(bot.memberships.stored);
    expect(before).toHaveLength(2);
    github.finish();
    github = startNockGitHub();
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, { status, body: { message: 'No' } });
    github.answers('GET', REPOSITORIES, {
      status: 200,
      body: { total_count: 0, repositories: [] },
    });
    await bot.deliver('installation.created');
    expect(bot.memberships.stored).toEqual(before);
  });

  it('goes on with the other repositories where one cannot be seen to', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, reply.members);
    github.answers('GET', REPOSITORIES, {
      status: 200,
      body: {
        ...reply.repositories.body,
        repositories: [
          { ...reply.repositories.body.repositories[0], id: SPACE, name: 'Space' },
          ...reply.repositories.body.repositories,
        ],
      },
    });
    github.answers('GET', PULLS.replace(STORY.name, 'Space'), { status: 500, body: {} });
    github.answers('GET', PULLS, reply.pulls());
    github.expects('GET', RUNS_OF_HEAD, reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('installation.created');
    expect(bot.faults).toHaveLength(1);
  });

  it('makes a waiting run once, however often it is created again', async () => {
    foresee(github);
    github.answers('GET', REPOSITORIES, reply.repositories);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('installation.created');
    await bot.deliver('installation.created');
    await bot.deliver('installation.unsuspend');
    expect(bot.organizations.stored).toHaveLength(1);
  });

  const asItIs = (change: (one: Json) => void = () => undefined) => ({
    status: 200,
    body: githubFixture('installation', change),
  });

  it('is noted as suspended where GitHub says that it is', async () => {
    github.expects(
      'GET',
      INSTALLATION,
      asItIs((one) => Object.assign(one, { suspended_at: '2026-11-21T00:00:00Z' })),
    );
    await bot.deliver('installation.suspend');
    expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, suspended: true }]);
  });

  it('is not ended by an old webhook that is sent once more', async () => {
    github.answers('GET', INSTALLATION, asItIs());
    await bot.deliver('installation.suspend');
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toEqual([ORGANIZATION]);
  });

  it('is noted as gone where GitHub knows it no more; the organization stays', async () => {
    github.expects(
      'GET',
      INSTALLATION,
      asItIs((one) => Object.assign(one, { suspended_at: '2026-11-21T00:00:00Z' })),
    );
    await bot.deliver('installation.suspend');
    github.expects('GET', INSTALLATION, { status: 404, body: { message: 'Not Found' } });
    await bot.deliver('installation.deleted');
    expect(bot.organizations.stored).toEqual([{ ...ORGANIZATION, suspended: true, installationId: 0 }]);
  });

  it('on an enterprise is nothing to us', async () => {
    await bot.deliver('installation.created', {
      change: ({ installation }) => {
        installation.target_type = 'Enterprise';
        installation.account = { id: 1, slug: 'octo' };
      },
    });
    expect(bot.organizations.stored).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});

describe('repositories that an installation gets', () => {
  it('have a run for each open pull request', async () => {
    const space = REPO.replace(STORY.name, 'Space');
    github.expects('POST', TOKENS, reply.token);
    github.expects('GET', `${space}/pulls`, reply.pulls());
    github.expects('GET', `${space}/commits/${STORY.head}/check-runs`, reply.noRuns);
    github.expects('POST', `${space}/check-runs`, reply.run);
    await bot.deliver('installation_repositories.added');
    expect(bot.organizations.stored).toEqual([ORGANIZATION]);
  });

  it('that go away cost nothing, and nothing of them waits any more', async () => {
    await record();
    const pull = { repoName: 'x', pr: 1, title: '', author: '', head: '', approved: false };
    const both = [
      { ...pull, repoId: SPACE },
      { ...pull, repoId: STORY.repoId },
    ];
    await bot.openPulls.note(STORY.ownerId, both, bot.clock.now());
    await bot.deliver('installation_repositories.removed');
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
    expect(bot.openPulls.noted.map(({ repoId }) => repoId)).toEqual([STORY.repoId]);
  });
});
