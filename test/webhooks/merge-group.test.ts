import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anApproval } from '../support/fakes.ts';
import { githubFixture, type Json, webhookFixture } from '../support/fixtures.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  PUBLIC_URL,
  PULLS,
  REPO,
  reply,
  STORY,
  signed,
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

const ASKED = 'merge_group.checks_requested';
const GROUP = webhookFixture(ASKED).merge_group as { head_sha: string; base_sha: string; head_ref: string };
const PULL = `${PULLS}/${STORY.pr}`;
/** Says that the tip of `master` is what the group is built on. */
const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;
const RUN = `${CHECK_RUNS}/128620228`;

type RunBody = { head_sha: string; conclusion: string; details_url: string; output: { summary: string } };
/** The runs that were made, as they are: a success is made to wait and completed then. */
const made = () => {
  const completions = github.requests('PATCH', RUN).map(({ body }) => body as RunBody);
  return github.requests('POST', CHECK_RUNS).map(({ body }) => {
    const run = body as RunBody;
    return run.conclusion ? run : { ...run, ...completions.shift() };
  });
};

const approve = () =>
  bot.approvals.put(
    anApproval({
      orgId: STORY.ownerId,
      repoId: STORY.repoId,
      pr: STORY.pr,
      head: STORY.head,
      base: 'master',
    }),
  );

/** GitHub has the pull request, with what the test changes, and takes runs. */
function foreseePull(change: (pull: Json) => void = () => undefined): void {
  github.answers('POST', TOKENS, reply.token);
  github.answers('GET', PULL, { status: 200, body: githubFixture('pull-request', change) });
  github.answers('GET', SUITES, { status: 200, body: githubFixture('check-suites') });
  github.answers('POST', CHECK_RUNS, reply.run);
  github.answers('PATCH', RUN, reply.updated);
}

describe('a merge queue that asks whether a group may merge', () => {
  it('hears a yes where the pull request is approved', async () => {
    foreseePull();
    approve();
    expect(await bot.deliver(ASKED)).toBe('accepted');
    expect(made()).toEqual([
      {
        name: 'OTP Guard',
        head_sha: GROUP.head_sha,
        status: 'completed',
        conclusion: 'success',
        details_url: 'https://github.com/Octocoders/Hello-World/pull/2',
        output: { title: '#2 is approved', summary: expect.stringContaining('for `master`') },
      },
    ]);
    expect(bot.mergeGroups.stored).toMatchObject([
      {
        repoId: STORY.repoId,
        head: GROUP.head_sha,
        baseSha: GROUP.base_sha,
        base: 'master',
        pr: STORY.pr,
        passed: true,
      },
    ]);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('hears a no, with the reason, where nobody has approved', async () => {
    foreseePull();
    await bot.deliver(ASKED);
    expect(made()).toMatchObject([{ head_sha: GROUP.head_sha, conclusion: 'failure' }]);
    expect(made()[0]?.output.summary).toContain('Nobody has approved commit `ec26c3e5` of #2.');
  });

  it('understands base branches with slashes', async () => {
    foreseePull((pull) => Object.assign(pull.base, { ref: 'release/pr-7/next' }));
    const suites = `${REPO}/commits/${encodeURIComponent('heads/release/pr-7/next')}/check-suites`;
    github.answers('GET', suites, { status: 200, body: githubFixture('check-suites') });
    bot.approvals.put(
      anApproval({
        orgId: STORY.ownerId,
        repoId: STORY.repoId,
        pr: STORY.pr,
        head: STORY.head,
        base: 'release/pr-7/next',
      }),
    );
    await bot.deliver(ASKED, {
      change: ({ merge_group }) => {
        merge_group.base_ref = 'refs/heads/release/pr-7/next';
        merge_group.head_ref = `refs/heads/gh-readonly-queue/release/pr-7/next/pr-2-${GROUP.base_sha}`;
      },
    });
    expect(made()).toMatchObject([{ conclusion: 'success' }]);
  });

  it.each([
    'refs/heads/changes',
    'refs/heads/gh-readonly-queue/master/pr-2',
    'refs/heads/gh-readonly-queue/master/pr-02-f95f852bd8fca8fcc58a9a2d6c842781e32a215e',
    'refs/heads/gh-readonly-queue/master/pr-2-f95f852b',
    'refs/heads/x/gh-readonly-queue/master/pr-2-f95f852bd8fca8fcc58a9a2d6c842781e32a215e',
    '',
  ])('hears a no where the group’s name says no pull request: %p', async (head_ref) => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', `${PULLS}/0`, { status: 404, body: { message: 'Not Found' } });
    github.answers('POST', CHECK_RUNS, reply.run);
    approve();
    await bot.deliver(ASKED, { change: ({ merge_group }) => Object.assign(merge_group, { head_ref }) });
    expect(made()).toMatchObject([{ conclusion: 'failure', details_url: PUBLIC_URL }]);
    expect(bot.mergeGroups.stored).toMatchObject([{ pr: 0, passed: false }]);
  });

  it('hears it once, however often it asks', async () => {
    foreseePull();
    approve();
    for (const id of ['one', 'one', 'two']) await bot.deliver(ASKED, { id });
    expect(made()).toHaveLength(1);
  });

  it('hears nothing while GitHub does not say what is so, and hears it from the next delivery', async () => {
    approve();
    github.answers('POST', TOKENS, reply.token);
    let isDown = true;
    github.answers('GET', PULL, () =>
      isDown ? { status: 502, body: {} } : { status: 200, body: githubFixture('pull-request') },
    );
    github.answers('GET', SUITES, { status: 200, body: githubFixture('check-suites') });
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
    const received = await bot.receive(signed(ASKED, { id: 'one' }));
    expect(received).toMatchObject({ outcome: 'accepted', isOwed: true });
    expect(received.outcome === 'accepted' && (await received.work)).toBe(false);
    expect([made(), bot.mergeGroups.stored, bot.deliveries.worked.size]).toEqual([[], [], 0]);
    isDown = false;
    const again = await bot.receive(signed(ASKED, { id: 'one' }));
    expect(again.outcome === 'accepted' && (await again.work)).toBe(true);
    expect(made()).toMatchObject([{ conclusion: 'success' }]);
  });

  it('is left alone where it is not said which installation it is', async () => {
    await bot.deliver(ASKED, {
      change: (payload) => {
        delete payload.installation;
      },
    });
    expect(github.sent).toEqual([]);
  });
});

describe('a re-run of a group’s check', () => {
  it.each(['check_run.rerequested', 'check_suite.rerequested'])(
    'shows the same verdict in a new run: %s',
    async (event) => {
      foreseePull();
      github.answers('GET', PULLS, reply.pulls());
      approve();
      await bot.deliver(ASKED);
      await bot.deliver(event, {
        change: (payload) => {
          const about = payload.check_run ?? payload.check_suite;
          about.head_sha = GROUP.head_sha;
          about.pull_requests = [];
        },
      });
      expect(made().map(({ head_sha, conclusion }) => [head_sha, conclusion])).toEqual([
        [GROUP.head_sha, 'success'],
        [GROUP.head_sha, 'success'],
      ]);
    },
  );
});
