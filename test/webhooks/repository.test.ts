import { beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/adapters/github/installation-payload.ts';
import { anOpenPull } from '../support/fakes.ts';
import { githubFixture, webhookFixture } from '../support/fixtures.ts';
import { CHECK_RUNS, PULLS, REPOSITORIES, reply, runsOf, STORY } from './bot.ts';
import { bot, foresee, github, runs } from './fresh-bot.ts';

beforeEach(async () => {
  const installation = toInstallation(githubFixture('installation'), 'https://github.com');
  if (installation) await bot.organizations.save(installation);
  await bot.openPulls.save(STORY.ownerId, [noted(3), noted(4), noted(1, 43)], bot.clock.now());
});

const noted = (pr: number, repoId = STORY.repoId) => anOpenPull({ repoId, pr });
const waiting = () => bot.openPulls.saved.map(({ repoId, pr }) => [repoId, pr]);

describe.each(['repository.renamed', 'repository.transferred'])('on %s', (event) => {
  it('creates check runs for open pull requests, and removes only closed ones', async () => {
    foresee();
    github.answers('GET', `${PULLS}/3`, { status: 404, body: { message: 'Not Found' } });
    // The list can lag.
    github.answers('GET', `${PULLS}/4`, { status: 200, body: githubFixture('pulls')[0] });
    github.expects('POST', CHECK_RUNS, reply.run);
    // An approval in the organization that the repository belonged to before.
    bot.approve({ orgId: 1 });
    expect(await bot.deliver(event)).toBe('accepted');
    expect(runs()).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);
    expect(waiting()).not.toContainEqual([STORY.repoId, 3]);
    expect(waiting()).toEqual(
      expect.arrayContaining([
        [STORY.repoId, 4],
        [43, 1],
      ]),
    );
    expect(bot.repaired).toEqual([{ repository: 'Octocoders/Hello-World', head: STORY.head }]);
  });

  it('sends no request if the App is not installed', async () => {
    await bot.deliver(event, { change: (payload) => delete payload.installation });
    expect(github.sent).toEqual([]);
  });
});

it.each(['repository.archived', 'repository.deleted'])(
  'removes waiting pull requests on %s, unless GitHub lists the repository again',
  async (event) => {
    const listed = githubFixture('installation-repositories');
    listed.repositories[0].id = STORY.repoId;
    await bot.repositoryChecks.put('org', { id: STORY.repoId, name: STORY.name, defaultBranch: 'main' });
    github.expects('GET', REPOSITORIES, { status: 200, body: listed });
    await bot.deliver(event);
    expect([bot.repositoryChecks.stored.length, waiting().length]).toEqual([1, 3]);
    // The list has no archived repositories.
    listed.repositories[0].archived = true;
    github.expects('GET', REPOSITORIES, { status: 200, body: listed });
    await bot.deliver(event);
    expect([bot.repositoryChecks.stored, waiting(), bot.deliveries.worked.size]).toEqual([[], [[43, 1]], 2]);
  },
);

describe('a push to the default branch', () => {
  const EVENT = 'check_suite.requested';
  const { before: BEFORE, head_sha: TIP } = webhookFixture(EVENT).check_suite as Record<string, string>;

  it.each([
    ['the commit before it, so that the newest one is not shown as cancelled', {}, BEFORE],
    ['the pushed commit if the branch is new', { before: '0'.repeat(40) }, TIP],
    ['the pushed commit if GitHub names no other', { before: null }, TIP],
  ])('makes the check selectable on %s, once, if no pull request is open', async (_what, change, head) => {
    github.answers('GET', PULLS, { status: 200, body: [] });
    github.answers('GET', runsOf(head ?? ''), reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run);
    const deliver = (more: object) =>
      bot.deliver(EVENT, { change: ({ check_suite }) => Object.assign(check_suite, change, more) });
    await deliver({});
    await deliver({});
    await deliver({ head_sha: 'cd'.repeat(20), before: 'ef'.repeat(20) });
    expect(runs()).toMatchObject([{ head_sha: head, status: 'completed', conclusion: 'cancelled' }]);
  });

  it('is ignored if it went to another branch', async () => {
    await bot.deliver(EVENT, {
      change: ({ check_suite }) => Object.assign(check_suite, { head_branch: 'changes' }),
    });
    expect([github.sent, bot.deliveries.worked.size]).toEqual([[], 1]);
  });
});
