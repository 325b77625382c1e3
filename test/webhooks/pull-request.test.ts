import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/app-error.ts';
import { anInstallation } from '../support/fakes.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { nockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  foresee,
  PULLS,
  RUN,
  RUNS_OF_HEAD,
  reply,
  runsAt,
  STORY,
  startBot,
  type TestBot,
  TOKENS,
} from './bot.ts';

const github = nockGitHub();
let bot: TestBot;

beforeEach(async () => {
  bot = await startBot();
});

const MOVED = 'cd'.repeat(20);

describe('a pull request that waits for an approval', () => {
  it.each(['opened', 'reopened', 'synchronize', 'ready_for_review', 'edited'])(
    'gets one pending check run when it is %s',
    async (action) => {
      github.expects('POST', TOKENS, reply.token);
      github.expects('GET', PULLS, reply.pulls());
      github.expects('POST', CHECK_RUNS, reply.run);
      expect(await bot.deliver(`pull_request.${action}`)).toBe('accepted');

      const [run, ...more] = runsAt(github);
      expect(more).toEqual([]);
      expect(run).toEqual({
        name: 'OTP Guard',
        head_sha: STORY.head,
        status: 'in_progress',
        details_url: expect.any(String),
        output: { title: 'Waiting for an approval', summary: expect.any(String) },
      });
      const link = new URL(run?.details_url ?? '');
      expect(`${link.origin}${link.pathname}`).toBe('https://guard.example.org/collect');
      const page = 'https://github.com/Octocoders/Hello-World/pull/2';
      expect(Object.fromEntries(link.searchParams)).toEqual({
        installation: '957387',
        repo: 'Hello-World',
        owner: 'Octocoders',
        ownerID: '38302899',
        repoID: String(STORY.repoId),
        pr: '2',
        url: page,
        head: STORY.head,
        headURL: `https://github.com/Octocoders/Hello-World/compare/${STORY.baseSha}...${STORY.head}`,
        title: 'Update the README with new information.',
      });
      expect(run?.output.summary).toContain(`(${run?.details_url})`);
      expect(bot.deliveries.worked.size).toBe(1);
    },
  );

  it('gets no check run when an edit does not change its base', async () => {
    for (const changes of [{ title: { from: 'Old' } }, {}])
      await bot.deliver('pull_request.edited', { change: (payload) => Object.assign(payload, { changes }) });
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(2);
  });

  it('has a check run without text from a stranger, except the title in the link', async () => {
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
    const [run] = runsAt(github);
    const link = run?.details_url ?? '';
    expect(new URL(link).searchParams.get('title')).toBe(title);
    expect(link).toMatch(/^[\w%&=+.*:/?-]+$/);
    expect(`${run?.output.title}${run?.output.summary.replaceAll(link, '')}`).not.toMatch(/script|evil/i);
  });
});

describe('a webhook that is delivered again', () => {
  beforeEach(() => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
  });

  it('causes no request if its id was processed', async () => {
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    const before = github.sent.length;
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('duplicate');
    expect(github.sent).toHaveLength(before);
  });

  it('creates one check run if ten with the same id arrive at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => bot.deliver('pull_request.opened', { id: 'one' })));
    expect(runsAt(github)).toHaveLength(1);
    expect(bot.lines.join('')).not.toContain('webhook failed');
  });

  it('creates no second check run if it has a new id', async () => {
    await bot.deliver('pull_request.opened');
    await bot.deliver('pull_request.opened');
    await Promise.all([bot.deliver('pull_request.reopened'), bot.deliver('pull_request.ready_for_review')]);
    expect(runsAt(github)).toHaveLength(1);
    expect(bot.deliveries.worked.size).toBe(4);
  });
});

it('creates a new check run if GitHub has lost the first one', async () => {
  github.answers('POST', TOKENS, reply.token);
  github.answers('GET', PULLS, reply.pulls());
  github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
  github.expects('POST', CHECK_RUNS, reply.run, 2);
  github.answers('PATCH', RUN, (sent) =>
    github.requests('PATCH', RUN).length === 1 ? { status: 404, body: {} } : reply.updated(sent),
  );
  await bot.deliver('pull_request.opened');
  bot.approve();
  await bot.deliver('pull_request.reopened');
  expect(github.requests('POST', CHECK_RUNS).map(({ body }) => (body as Json).status)).toEqual([
    'in_progress',
    'in_progress',
  ]);
  expect(github.requests('PATCH', RUN).at(-1)?.body).toMatchObject({ conclusion: 'success' });
});

describe('two pull requests with the same head', () => {
  it('wait until both are approved, and the check run names the one that still waits', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers(
      'GET',
      PULLS,
      reply.pulls((pulls) => {
        pulls.push({ ...structuredClone(pulls[0]), number: 3, base: { ...pulls[0].base, ref: 'next' } });
      }),
    );
    github.expects('POST', CHECK_RUNS, reply.run);
    bot.approve();
    await bot.deliver('pull_request.opened');
    const [run] = runsAt(github);
    expect(run?.status).toBe('in_progress');
    expect(run?.output.summary).toMatch(
      /of \[#3\]\S+ by @Codertocat into `next` is waiting[\s\S]*#2 is approved: .* of #2 into `master`/,
    );
    expect(new URL(run?.details_url ?? '').searchParams.get('pr')).toBe('3');
  });

  it('pass when the one that still waited is closed', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    github.expects('PATCH', RUN, reply.updated);
    await bot.deliver('pull_request.opened');
    bot.approve();
    await bot.deliver('pull_request.closed', {
      change: ({ pull_request }) => Object.assign(pull_request, { number: 3 }),
    });
    expect(runsAt(github)).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
});

describe('a pull request that is closed', () => {
  const merged = ({ pull_request }: Json) =>
    Object.assign(pull_request, {
      merged: true,
      merged_at: '2026-05-04T12:00:00Z',
      merged_by: { ...pull_request.user, id: 39652351, login: 'hacktocat' },
    });
  const LOGGED = {
    repoId: STORY.repoId,
    pr: STORY.pr,
    effects: {
      activity: {
        activity: 'unapprovedMerge',
        data: { login: 'hacktocat', sha: STORY.head, pr: STORY.pr, repo: STORY.name },
      },
    },
  };
  let open: { status: number; body: unknown };

  beforeEach(async () => {
    await bot.organizations.save(
      anInstallation({
        id: STORY.installation,
        account: { id: STORY.ownerId, login: STORY.owner, type: 'Organization', htmlUrl: '' },
      }),
    );
    open = { status: 200, body: [] };
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, () => open);
  });

  it('gets no check run and no log entry if it was not merged', async () => {
    await bot.deliver('pull_request.closed');
    expect([runsAt(github), bot.unapprovedMerges.stored]).toEqual([[], []]);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('is logged once if it was merged without an approval', async () => {
    for (const id of ['one', 'one', 'two']) await bot.deliver('pull_request.closed', { id, change: merged });
    expect(bot.unapprovedMerges.stored).toMatchObject([LOGGED]);
  });

  it('is logged once even while GitHub’s list still shows it as open', async () => {
    open = reply.pulls();
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    github.answers('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.closed', { change: merged });
    await bot.deliver('pull_request.closed', { change: merged });
    expect(bot.unapprovedMerges.stored).toMatchObject([LOGGED]);
  });

  it('is not logged if its head was approved for its base branch', async () => {
    bot.approve();
    await bot.deliver('pull_request.closed', { change: merged });
    expect(bot.unapprovedMerges.stored).toEqual([]);
  });

  it('has a webhook that stays unprocessed until the merge is logged', async () => {
    bot.stage.fail('unapprovedMerges.add', new AppError('storeUnavailable'));
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect(bot.deliveries.worked.size).toBe(0);
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect([bot.unapprovedMerges.stored, bot.deliveries.worked.size]).toMatchObject([[LOGGED], 1]);
  });
});

describe('a list of pull requests that lags behind the webhook', () => {
  beforeEach(() => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('POST', CHECK_RUNS, reply.run);
  });

  it('does not hide a new pull request', async () => {
    github.expects('GET', PULLS, { status: 200, body: [] });
    await bot.deliver('pull_request.opened');
    expect(runsAt(github)).toHaveLength(1);
  });

  it('does not hide a new head', async () => {
    const moved = githubFixture('pull-request', (pull) => Object.assign(pull.head, { sha: MOVED }));
    github.answers('GET', `${PULLS}/2`, { status: 200, body: moved });
    github.answers('GET', PULLS, reply.pulls());
    await bot.deliver('pull_request.synchronize', {
      change: ({ pull_request }) => Object.assign(pull_request.head, { sha: MOVED }),
    });
    expect(runsAt(github).map(({ head_sha }) => head_sha)).toEqual([MOVED]);
  });
});
