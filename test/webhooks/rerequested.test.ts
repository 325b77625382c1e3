import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anApproval } from '../support/fakes.ts';
import type { Json } from '../support/fixtures.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import { CHECK_RUNS, foresee, PULLS, reply, STORY, startBot, type TestBot, TOKENS } from './bot.ts';

let github: NockGitHub;
let bot: TestBot;

beforeEach(async () => {
  github = startNockGitHub();
  bot = await startBot();
});
afterEach(() => github.finish());

const RUN = `${CHECK_RUNS}/128620228`;
/** The runs that were made, as they are: a success is made to wait and completed then. */
const made = () => {
  const completions = github
    .requests('PATCH', RUN)
    .map(({ body }) => (body as { conclusion: string }).conclusion);
  return github.requests('POST', CHECK_RUNS).map(({ body }) => {
    const { conclusion, status } = body as { conclusion?: string; status: string };
    return conclusion ?? completions.shift() ?? status;
  });
};
const approve = (change: object = {}) =>
  bot.approvals.put(
    anApproval({
      orgId: STORY.ownerId,
      repoId: STORY.repoId,
      pr: STORY.pr,
      head: STORY.head,
      base: 'master',
      ...change,
    }),
  );

/** As GitHub sends it where the head is a fork's: it names no pull request. */
const ofFork = (payload: Json) => {
  for (const about of [payload.check_run, payload.check_run?.check_suite, payload.check_suite])
    if (about) about.pull_requests = [];
};

describe.each<[string, string, ((payload: Json) => void) | undefined]>([
  ['a run', 'check_run.rerequested', undefined],
  ['a run on the head of a fork', 'check_run.rerequested', ofFork],
  ['a suite', 'check_suite.rerequested', undefined],
  ['a suite on the head of a fork', 'check_suite.rerequested', ofFork],
])('a re-run of %s', (_what, event, change) => {
  const options = change ? { change } : {};

  beforeEach(() => {
    foresee(github);
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
  });

  it('shows that the head waits, in a new run', async () => {
    await bot.deliver('pull_request.opened');
    await bot.deliver(event, options);
    expect(made()).toEqual(['in_progress', 'in_progress']);
    expect(github.requests('PATCH', RUN)).toEqual([]);
  });

  it('shows that the head is approved, in a new run', async () => {
    approve();
    await bot.deliver('pull_request.opened');
    await bot.deliver(event, options);
    expect(made()).toEqual(['success', 'success']);
    expect(github.requests('PATCH', RUN)).toHaveLength(2);
  });

  it('grants nothing: an approval for another branch is none', async () => {
    approve({ base: 'next' });
    await bot.deliver(event, options);
    expect(made()).toEqual(['in_progress']);
  });

  it('makes the first run of a head that had none', async () => {
    await bot.deliver(event, options);
    expect(made()).toEqual(['in_progress']);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('is done once for each delivery', async () => {
    await bot.deliver('pull_request.opened');
    for (const id of ['one', 'one', 'two']) await bot.deliver(event, { ...options, id });
    expect(made()).toHaveLength(3);
  });
});

describe('a re-run of what is no open pull request’s and no group’s', () => {
  it.each(['check_run.rerequested', 'check_suite.rerequested'])('comes to nothing: %s', async (event) => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, { status: 200, body: [] });
    await bot.deliver(event);
    expect(made()).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});

describe('a re-run while GitHub is away', () => {
  it('is not noted as done', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, { status: 502, body: {} });
    await bot.deliver('check_run.rerequested');
    expect(bot.deliveries.worked.size).toBe(0);
  });
});
