import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/accounts/github-installation.ts';
import { githubFixture, webhookFixture } from '../support/fixtures.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import { CHECK_RUNS, foresee, PULLS, reply, runsOf, STORY, startBot, type TestBot, TOKENS } from './bot.ts';

let github: NockGitHub;
let bot: TestBot;

beforeEach(async () => {
  github = startNockGitHub();
  bot = await startBot();
  const installation = toInstallation(githubFixture('installation'), 'https://github.com');
  if (installation) await bot.organizations.save(installation);
  await bot.openPulls.note(STORY.ownerId, [noted(3), noted(1, 43)], bot.clock.now());
});
afterEach(() => github.finish());

/** A pull request that waited when it was looked at last. */
const noted = (pr: number, repoId = STORY.repoId) => ({
  repoId,
  repoName: STORY.name,
  pr,
  title: '',
  author: '',
  head: 'cd'.repeat(20),
  approved: false,
});
const waiting = () => bot.openPulls.noted.map(({ repoId, pr }) => [repoId, pr]);
const made = () => github.requests('POST', CHECK_RUNS).map(({ body }) => body as Record<string, string>);

describe.each(['repository.renamed', 'repository.transferred'])('on %s', (event) => {
  it('the open pull requests have their run, and what is not open waits no more', async () => {
    foresee(github);
    github.answers('GET', `${PULLS}/3`, { status: 404, body: { message: 'Not Found' } });
    github.expects('POST', CHECK_RUNS, reply.run);
    expect(await bot.deliver(event)).toBe('accepted');
    expect(made()).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);
    expect(waiting()).not.toContainEqual([STORY.repoId, 3]);
    expect(waiting()).toContainEqual([43, 1]);
    expect(bot.repaired).toEqual([{ repository: 'Octocoders/Hello-World', head: STORY.head }]);
  });

  it('nothing is asked where the App is not there', async () => {
    await bot.deliver(event, {
      change: (payload) => {
        delete payload.installation;
      },
    });
    expect(github.sent).toEqual([]);
  });
});

describe('on repository.transferred', () => {
  it('an approval of before is none for the organization that the repository belongs to now', async () => {
    foresee(github);
    github.answers('GET', `${PULLS}/3`, { status: 404, body: { message: 'Not Found' } });
    github.answers('POST', CHECK_RUNS, reply.run);
    bot.approvals.put({
      orgId: 1,
      repoId: STORY.repoId,
      pr: STORY.pr,
      base: 'master',
      head: STORY.head,
      login: 'octocat',
      method: 'passkey',
      userVerified: true,
    });
    await bot.deliver('repository.transferred');
    expect(made()).toMatchObject([{ status: 'in_progress' }]);
  });
});

describe.each(['repository.archived', 'repository.deleted'])('on %s', (event) => {
  it('nothing of the repository waits any more, and GitHub is asked nothing', async () => {
    await bot.deliver(event);
    expect(waiting()).toEqual([[43, 1]]);
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});

describe('a push to the default branch', () => {
  const EVENT = 'check_suite.requested';
  const TIP = webhookFixture(EVENT).check_suite.head_sha as string;
  const nothingOpen = { status: 200, body: [] };

  it('introduces the check on the commit that GitHub names, where no pull request is open', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, nothingOpen);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver(EVENT);
    expect(made()).toMatchObject([{ head_sha: TIP, status: 'completed', conclusion: 'cancelled' }]);
  });

  it('introduces it once', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, nothingOpen);
    github.answers('GET', runsOf(TIP), reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver(EVENT);
    await bot.deliver(EVENT);
    await bot.deliver(EVENT, {
      change: ({ check_suite }) => Object.assign(check_suite, { head_sha: 'cd'.repeat(20) }),
    });
    expect(made()).toHaveLength(1);
  });

  it('introduces nothing where a pull request is open', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, reply.pulls());
    await bot.deliver(EVENT);
    expect(made()).toEqual([]);
  });

  it('is none where another branch is pushed to', async () => {
    await bot.deliver(EVENT, {
      change: ({ check_suite }) => Object.assign(check_suite, { head_branch: 'changes' }),
    });
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});
