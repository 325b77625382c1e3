import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/app-error.ts';
import { anApproval } from '../support/fakes.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  foresee,
  PULLS,
  RUNS_OF_HEAD,
  reply,
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

const RUN = `${CHECK_RUNS}/128620228`;

type RunBody = {
  name: string;
  head_sha: string;
  status: string;
  conclusion?: string;
  details_url: string;
  output: { title: string; summary: string };
};

const madeRuns = () => github.requests('POST', CHECK_RUNS).map(({ body }) => body as RunBody);

describe('a pull request that waits for an approval', () => {
  it.each([
    'pull_request.opened',
    'pull_request.reopened',
    'pull_request.synchronize',
    'pull_request.ready_for_review',
    'pull_request.edited',
  ])('gets one pending run on %s', async (fixture) => {
    github.expects('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, reply.pulls());
    github.expects('POST', CHECK_RUNS, reply.run);
    expect(await bot.deliver(fixture)).toBe('accepted');

    expect(madeRuns()).toEqual([
      {
        name: 'OTP Guard',
        head_sha: STORY.head,
        status: 'in_progress',
        details_url: expect.any(String),
        output: { title: 'Waiting for an approval', summary: expect.any(String) },
      },
    ]);
    const [run] = madeRuns();
    const link = new URL(run?.details_url ?? '');
    expect(`${link.origin}${link.pathname}`).toBe('https://guard.example.org/collect');
    const page = 'https://github.com/Octocoders/Hello-World/pull/2';
    expect(Object.fromEntries(link.searchParams)).toEqual({
      installation: '957387',
      repo: 'Hello-World',
      owner: 'Octocoders',
      ownerID: '38302899',
      pr: '2',
      url: page,
      head: STORY.head,
      headURL: expect.stringContaining(page),
      title: 'Update the README with new information.',
    });
    expect(link.searchParams.get('headURL')).toContain(STORY.head);
    expect(run?.output.summary).toContain(`(${run?.details_url})`);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('is left alone by an edit that does not change its base', async () => {
    for (const changes of [{ title: { from: 'Old' } }, { body: { from: 'Old' } }, {}]) {
      const outcome = await bot.deliver('pull_request.edited', {
        change: (payload) => {
          payload.changes = changes;
        },
      });
      expect(outcome).toBe('accepted');
    }
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(3);
  });

  it('keeps what a stranger wrote out of the run, but for the title in the link', async () => {
    const title = '](https://evil.example) <script>';
    github.answers('POST', TOKENS, reply.token);
    github.expects(
      'GET',
      PULLS,
      reply.pulls((pulls) => Object.assign(pulls[0], { title, body: title })),
    );
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.opened', {
      change: ({ pull_request }) => Object.assign(pull_request, { title, body: title }),
    });
    const [run] = madeRuns();
    const link = run?.details_url ?? '';
    expect(new URL(link).searchParams.get('title')).toBe(title);
    expect(link).toMatch(/^[\w%&=+.*:/?-]+$/);
    expect(`${run?.output.title}${run?.output.summary.replaceAll(link, '')}`).not.toMatch(/script|evil/i);
  });
});

describe('a delivery that comes again', () => {
  it('makes no second run with the same id, one after the other', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    const before = github.sent.length;
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('known');
    expect(github.sent).toHaveLength(before);
  });

  it('makes no second run with the same id, ten at once', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
    await Promise.all(Array.from({ length: 10 }, () => bot.deliver('pull_request.opened', { id: 'one' })));
    expect(madeRuns()).toHaveLength(1);
    expect(bot.lines.join('')).not.toContain('webhook failed');
  });

  it('makes no second run with a new id, after it and at once', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
    await bot.deliver('pull_request.opened');
    await bot.deliver('pull_request.opened');
    await Promise.all([bot.deliver('pull_request.reopened'), bot.deliver('pull_request.ready_for_review')]);
    expect(madeRuns()).toHaveLength(1);
    expect(bot.deliveries.worked.size).toBe(4);
  });

  it('makes a new run where GitHub has lost the first, and still one', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, reply.pulls());
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    github.expects('POST', CHECK_RUNS, reply.run, 2);
    let isLost = true;
    github.answers('PATCH', RUN, (sent) => {
      const answer = isLost ? { status: 404, body: { message: 'Not Found' } } : reply.updated(sent);
      isLost = false;
      return answer;
    });
    await bot.deliver('pull_request.opened');
    bot.approvals.put(
      anApproval({
        orgId: STORY.ownerId,
        repoId: STORY.repoId,
        pr: STORY.pr,
        head: STORY.head,
        base: 'master',
      }),
    );
    await bot.deliver('pull_request.reopened');
    expect(madeRuns().map(({ status }) => status)).toEqual(['in_progress', 'in_progress']);
    expect(github.requests('PATCH', RUN).at(-1)?.body).toMatchObject({ conclusion: 'success' });
  });
});

describe('a head that another pull request shares', () => {
  it('waits until each is approved, and says which still waits', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers(
      'GET',
      PULLS,
      reply.pulls((pulls) => {
        pulls.push({ ...structuredClone(pulls[0]), number: 3, base: { ...pulls[0].base, ref: 'next' } });
      }),
    );
    github.expects('POST', CHECK_RUNS, reply.run);
    bot.approvals.put(
      anApproval({ orgId: STORY.ownerId, repoId: STORY.repoId, pr: 2, head: STORY.head, base: 'master' }),
    );
    await bot.deliver('pull_request.opened');
    const [run] = madeRuns();
    expect(run?.status).toBe('in_progress');
    expect(run?.output.summary).toMatch(
      /approved commit .* of #2 into `master`[\s\S]*of #3 into `next` waits/,
    );
    expect(new URL(run?.details_url ?? '').searchParams.get('pr')).toBe('3');
  });

  it('passes when the one that still waited is closed', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    github.expects('PATCH', RUN, reply.updated);
    await bot.deliver('pull_request.opened');
    bot.approvals.put(
      anApproval({ orgId: STORY.ownerId, repoId: STORY.repoId, pr: 2, head: STORY.head, base: 'master' }),
    );
    await bot.deliver('pull_request.closed', {
      change: ({ pull_request }) => {
        pull_request.number = 3;
      },
    });
    const [update] = github.requests('PATCH', RUN);
    expect(update?.body).toMatchObject({ status: 'completed', conclusion: 'success' });
  });
});

describe('a pull request that closes', () => {
  it('makes no run, where it was alone on its head', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, { status: 200, body: [] });
    await bot.deliver('pull_request.closed');
    expect(madeRuns()).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});

describe('a pull request that is merged', () => {
  const merged = ({ pull_request }: Json) =>
    Object.assign(pull_request, {
      merged: true,
      merged_at: '2026-05-04T12:00:00Z',
      merged_by: { ...pull_request.user, id: 39652351, login: 'hacktocat' },
    });
  const ALARM = {
    orgId: STORY.ownerId,
    repoId: STORY.repoId,
    repoName: STORY.name,
    pr: STORY.pr,
    head: STORY.head,
    by: { id: 39652351, login: 'hacktocat' },
  };

  beforeEach(() => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, { status: 200, body: [] });
  });

  it('raises the alarm where nobody had approved it, once', async () => {
    for (const id of ['one', 'one', 'two']) await bot.deliver('pull_request.closed', { id, change: merged });
    expect(bot.alarms.raised).toEqual([ALARM]);
  });

  it('raises it at once also while GitHub’s list still has it as open', async () => {
    github.finish();
    github = startNockGitHub();
    foresee(github);
    github.answers('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.closed', { change: merged });
    await bot.deliver('pull_request.closed', { change: merged });
    expect(bot.alarms.raised).toEqual([ALARM]);
  });

  it('raises none where its head was approved for its base branch', async () => {
    bot.approvals.put(
      anApproval({ orgId: STORY.ownerId, repoId: STORY.repoId, pr: 2, head: STORY.head, base: 'master' }),
    );
    await bot.deliver('pull_request.closed', { change: merged });
    expect(bot.alarms.raised).toEqual([]);
  });

  it('raises none where it was closed without a merge', async () => {
    await bot.deliver('pull_request.closed');
    expect(bot.alarms.raised).toEqual([]);
  });

  it('is not done with while the alarm cannot be raised', async () => {
    bot.stage.fail('alarms.raise', new AppError('storeUnavailable'));
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect(bot.deliveries.worked.size).toBe(0);
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect([bot.alarms.raised, bot.deliveries.worked.size]).toEqual([[ALARM], 1]);
  });
});

describe('a list of GitHub’s that lags behind the webhook', () => {
  it('does not hide a new pull request', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', PULLS, { status: 200, body: [] });
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.opened');
    expect(madeRuns()).toHaveLength(1);
  });

  it('does not hide a new head', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', `${PULLS}/2`, {
      status: 200,
      body: githubFixture('pull-request', (pull) => {
        pull.head.sha = 'cd'.repeat(20);
      }),
    });
    github.answers('GET', PULLS, reply.pulls());
    github.answers('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.synchronize', {
      change: ({ pull_request }) => {
        pull_request.head.sha = 'cd'.repeat(20);
      },
    });
    expect(madeRuns().map(({ head_sha }) => head_sha)).toEqual(['cd'.repeat(20)]);
  });
});
