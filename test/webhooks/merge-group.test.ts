import { describe, expect, it } from '@jest/globals';
import { githubFixture, type Json, webhookFixture } from '../support/fixtures.ts';
import { CHECK_RUNS, PUBLIC_URL, PULLS, REPO, RUN, reply, STORY } from './bot.ts';
import { bot, github, runs } from './fresh-bot.ts';

const ASKED = 'merge_group.checks_requested';
const GROUP = webhookFixture(ASKED).merge_group as { head_sha: string; base_sha: string; head_ref: string };
const PULL = `${PULLS}/${STORY.pr}`;
/** GitHub returns the commit the group is built on as the tip of `master`. */
const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;

/** GitHub has the pull request, with what the test changes, and accepts runs. */
function foreseePull(change: (pull: Json) => void = () => undefined, isDown = () => false): void {
  github.answers('GET', PULL, () =>
    isDown() ? { status: 502, body: {} } : { status: 200, body: githubFixture('pull-request', change) },
  );
  github.answers('GET', SUITES, { status: 200, body: githubFixture('check-suites') });
  github.answers('POST', CHECK_RUNS, reply.run);
  github.answers('PATCH', RUN, reply.updated);
}

describe('a merge queue that requests the check of a group', () => {
  it('gets a success if the pull request is approved', async () => {
    foreseePull();
    bot.approve();
    expect(await bot.deliver(ASKED)).toBe('accepted');
    expect(runs()).toEqual([
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
        verdict: 'passed',
      },
    ]);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('gets nothing, and fails nothing, if its account removed the App in the meantime', async () => {
    const gone = { status: 404, body: { message: 'Not Found' } };
    github.answers('POST', '/app/installations/77/access_tokens', gone);
    const change = (payload: Json) => Object.assign(payload, { installation: { id: 77 } });
    expect(await bot.deliver(ASKED, { change })).toBe('accepted');
    expect(bot.deliveries.worked.size).toBe(1);
    expect(bot.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'installation_gone', webhook: 'merge_group' }),
    ]);
  });

  it('can belong to a base branch with slashes in its name', async () => {
    const base = 'release/pr-7/next';
    foreseePull((pull) => Object.assign(pull.base, { ref: base }));
    github.answers('GET', `${REPO}/commits/${encodeURIComponent(`heads/${base}`)}/check-suites`, {
      status: 200,
      body: githubFixture('check-suites'),
    });
    bot.approve({ base });
    await bot.deliver(ASKED, {
      change: ({ merge_group }) => {
        merge_group.base_ref = `refs/heads/${base}`;
        merge_group.head_ref = `refs/heads/gh-readonly-queue/${base}/pr-2-${GROUP.base_sha}`;
      },
    });
    expect(runs()).toMatchObject([{ conclusion: 'success' }]);
  });

  it.each([
    'refs/heads/gh-readonly-queue/master/pr-2',
    `refs/heads/gh-readonly-queue/master/pr-02-${GROUP.base_sha}`,
    'refs/heads/gh-readonly-queue/master/pr-2-f95f852b',
    `refs/heads/x/gh-readonly-queue/master/pr-2-${GROUP.base_sha}`,
    '',
  ])('gets a failure if the name of the group has no pull request in it: %p', async (head_ref) => {
    github.answers('GET', `${PULLS}/0`, { status: 404, body: { message: 'Not Found' } });
    github.answers('POST', CHECK_RUNS, reply.run);
    bot.approve();
    await bot.deliver(ASKED, { change: ({ merge_group }) => Object.assign(merge_group, { head_ref }) });
    expect(runs()).toMatchObject([{ conclusion: 'failure', details_url: PUBLIC_URL }]);
    expect(bot.mergeGroups.stored).toEqual([]);
  });

  it('gets a pending check for a group on an unknown commit, until GitHub removes the group', async () => {
    foreseePull();
    bot.approve();
    const change = ({ merge_group }: Json) => Object.assign(merge_group, { base_sha: 'ab'.repeat(20) });
    await bot.deliver(ASKED, { change });
    expect(runs()).toMatchObject([{ head_sha: GROUP.head_sha, status: 'in_progress' }]);
    expect(bot.mergeGroups.stored).toMatchObject([{ verdict: 'waiting', finished: false }]);
    const destroyed = (payload: Json) => {
      change(payload);
      Object.assign(payload, { action: 'destroyed', reason: 'invalidated' });
    };
    await bot.deliver(ASKED, { id: 'two', change: destroyed });
    expect(bot.mergeGroups.stored).toMatchObject([{ verdict: 'waiting', finished: true }]);
    expect(runs()).toHaveLength(1);
  });

  it('is ignored if it names no installation', async () => {
    await bot.deliver(ASKED, { change: (payload) => delete payload.installation });
    expect(github.sent).toEqual([]);
  });
});

it.each(['check_run.rerequested', 'check_suite.rerequested'])(
  'repeats a group’s verdict in a new run on %s',
  async (event) => {
    foreseePull();
    github.answers('GET', PULLS, reply.pulls());
    bot.approve();
    await bot.deliver(ASKED);
    await bot.deliver(event, {
      change: (payload) =>
        Object.assign(payload.check_run ?? payload.check_suite, {
          head_sha: GROUP.head_sha,
          pull_requests: [],
        }),
    });
    const success = { head_sha: GROUP.head_sha, conclusion: 'success' };
    expect(runs()).toMatchObject([success, success]);
  },
);
