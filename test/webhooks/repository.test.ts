import { beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/github/installation-payload.ts';
import { githubFixture, webhookFixture } from '../support/fixtures.ts';
import { nockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  foresee,
  PULLS,
  reply,
  runsAt,
  runsOf,
  STORY,
  startBot,
  type TestBot,
  TOKENS,
} from './bot.ts';

const github = nockGitHub();
let bot: TestBot;

beforeEach(async () => {
  bot = await startBot();
  const installation = toInstallation(githubFixture('installation'), 'https://github.com');
  if (installation) await bot.organizations.save(installation);
  await bot.openPulls.save(STORY.ownerId, [noted(3), noted(1, 43)], bot.clock.now());
});

/** A saved pull request that waits. */
const noted = (pr: number, repoId = STORY.repoId) => ({
  repoId,
  repoName: STORY.name,
  pr,
  title: '',
  author: '',
  head: 'cd'.repeat(20),
  base: 'main',
  approved: false,
});
const waiting = () => bot.openPulls.saved.map(({ repoId, pr }) => [repoId, pr]);

describe.each(['repository.renamed', 'repository.transferred'])('on %s', (event) => {
  it('creates check runs for open pull requests, and removes those that are no longer open', async () => {
    foresee(github);
    github.answers('GET', `${PULLS}/3`, { status: 404, body: { message: 'Not Found' } });
    github.expects('POST', CHECK_RUNS, reply.run);
    // An approval in the organization that the repository belonged to before.
    bot.approve({ orgId: 1 });
    expect(await bot.deliver(event)).toBe('accepted');
    expect(runsAt(github)).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);
    expect(waiting()).not.toContainEqual([STORY.repoId, 3]);
    expect(waiting()).toContainEqual([43, 1]);
    expect(bot.repaired).toEqual([{ repository: 'Octocoders/Hello-World', head: STORY.head }]);
  });

  it('sends no request if the App is not installed', async () => {
    await bot.deliver(event, {
      change: (payload) => {
        delete payload.installation;
      },
    });
    expect(github.sent).toEqual([]);
  });
});

it.each(['repository.archived', 'repository.deleted'])(
  'removes the repository’s waiting pull requests without a request to GitHub on %s',
  async (event) => {
    await bot.deliver(event);
    expect(waiting()).toEqual([[43, 1]]);
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  },
);

describe('a push to the default branch', () => {
  const EVENT = 'check_suite.requested';
  const TIP = webhookFixture(EVENT).check_suite.head_sha as string;

  it('makes the check selectable on the pushed commit, once, if no pull request is open', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, { status: 200, body: [] });
    github.answers('GET', runsOf(TIP), reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver(EVENT);
    await bot.deliver(EVENT);
    await bot.deliver(EVENT, {
      change: ({ check_suite }) => Object.assign(check_suite, { head_sha: 'cd'.repeat(20) }),
    });
    expect(runsAt(github)).toMatchObject([{ head_sha: TIP, status: 'completed', conclusion: 'cancelled' }]);
  });

  it('creates no run if a pull request is open', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, reply.pulls());
    await bot.deliver(EVENT);
    expect(runsAt(github)).toEqual([]);
  });

  it('is ignored if it went to another branch', async () => {
    await bot.deliver(EVENT, {
      change: ({ check_suite }) => Object.assign(check_suite, { head_branch: 'changes' }),
    });
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});
