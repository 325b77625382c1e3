import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/fixtures.ts';
import { CHECK_RUNS, PULLS, RUN, reply } from './bot.ts';
import { bot, foresee, github, runs } from './fresh-bot.ts';

/** The state of each run of the head in the end. */
const verdicts = () => runs().map(({ conclusion, status }) => conclusion ?? status);

/** GitHub names no pull request if the head belongs to a fork. */
const ofFork = (payload: Json) => {
  for (const about of [payload.check_run, payload.check_run?.check_suite, payload.check_suite])
    if (about) about.pull_requests = [];
};

describe('a requested re-run', () => {
  beforeEach(() => {
    foresee();
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
  });

  it.each<[string, string, (payload: Json) => void]>([
    ['a run', 'check_run.rerequested', () => undefined],
    ['a run on the head of a fork', 'check_run.rerequested', ofFork],
    ['a suite', 'check_suite.rerequested', () => undefined],
    ['a suite on the head of a fork', 'check_suite.rerequested', ofFork],
  ])('of %s creates a new run that says what is true now', async (_what, event, change) => {
    await bot.deliver('pull_request.opened');
    await bot.deliver(event, { change });
    expect([verdicts(), github.requests('PATCH', RUN)]).toEqual([['in_progress', 'in_progress'], []]);

    bot.approve();
    await bot.deliver(event, { change });
    expect(github.requests('POST', CHECK_RUNS)).toHaveLength(3);
    expect(github.requests('PATCH', RUN).map(({ body }) => (body as Json).conclusion)).toEqual(['success']);
  });

  it('creates one run per delivery', async () => {
    await bot.deliver('pull_request.opened');
    for (const id of ['one', 'one', 'two']) await bot.deliver('check_suite.rerequested', { id });
    expect(verdicts()).toHaveLength(3);
  });
});

it.each(['check_run.rerequested', 'check_suite.rerequested'])(
  'creates no run on %s if nothing open has the head',
  async (event) => {
    github.answers('GET', PULLS, { status: 200, body: [] });
    await bot.deliver(event);
    expect([verdicts(), bot.deliveries.worked.size]).toEqual([[], 1]);
  },
);
