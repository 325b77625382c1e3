import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { anInstallation } from '../support/fakes.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { aPolicy } from '../support/policies.ts';
import { until } from '../support/until.ts';
import { CHECK_RUNS, PULLS, RUN, RUNS_OF_HEAD, reply, STORY, TOKENS } from './bot.ts';
import { bot, foresee, github, runs } from './fresh-bot.ts';

const MOVED = 'cd'.repeat(20);

describe('a pull request that waits for an approval', () => {
  it.each(['opened', 'reopened', 'synchronize', 'ready_for_review', 'edited'])(
    'gets one pending check run when it is %s',
    async (action) => {
      github.expects('GET', PULLS, reply.pulls());
      github.expects('POST', CHECK_RUNS, reply.run);
      expect(await bot.deliver(`pull_request.${action}`)).toBe('accepted');

      const [run, ...more] = runs();
      expect(more).toEqual([]);
      expect(run).toEqual({
        name: 'OTP Guard',
        head_sha: STORY.head,
        status: 'in_progress',
        details_url: expect.any(String),
        output: { title: 'Waiting for approval', summary: expect.any(String), text: expect.any(String) },
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

  it('gets its first check run before any list is read, and no second one', async () => {
    github.answers('GET', PULLS, reply.pulls());
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.opened');
    await bot.deliver('pull_request.opened', { id: randomUUID() });
    const asked = github.sent.filter(({ path }) => path !== TOKENS);
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  it('gets no check run when an edit does not change its base', async () => {
    for (const changes of [{ title: { from: 'Old' } }, {}])
      await bot.deliver('pull_request.edited', { change: (payload) => Object.assign(payload, { changes }) });
    expect([github.sent, bot.deliveries.worked.size]).toEqual([[], 2]);
  });
});

describe('a push to a pull request', () => {
  const BEFORE = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
  const push = (sender: object) => ({
    id: randomUUID(),
    change: (payload: Json) => Object.assign(payload.sender, sender),
  });

  it('is noted with each account that pushed the head, and whether it is a machine', async () => {
    foresee();
    github.expects('POST', CHECK_RUNS, reply.run);
    const codertocat = { id: 21031067, login: 'Codertocat', isMachine: false };
    const of = (head: string) => bot.pushers.of(STORY.repoId, STORY.pr, head);
    // It was opened at the head before this push: nobody knows who had pushed that one.
    await bot.pushers.add({ repoId: STORY.repoId, pr: STORY.pr, head: BEFORE, by: null });
    await bot.deliver('pull_request.synchronize');
    await bot.deliver('pull_request.synchronize', push({ id: 3, login: 'agent[bot]', type: 'Bot' }));
    await bot.deliver('pull_request.edited', push({ id: 4 }));
    expect(await of(STORY.head)).toEqual([codertocat, { id: 3, login: 'agent[bot]', isMachine: true }]);
    expect(await of(BEFORE)).toEqual([null]);
  });

  it.each(['opened', 'reopened'])('isn’t known of a pull request that was %s', async (action) => {
    foresee();
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.opened', {
      change: (payload: Json) => Object.assign(payload, { action }),
    });
    const [noted] = bot.pushers.stored;
    expect(noted).toMatchObject({ repoId: STORY.repoId, pr: STORY.pr, by: null });
  });

  it('changes no check run until it is noted', async () => {
    bot.stage.fail('pushers.add', 'storeUnavailable');
    await bot.deliver('pull_request.synchronize');
    expect([github.sent, bot.deliveries.worked.size]).toEqual([[], 0]);
  });
});

describe('a person who is assigned to the pull request of a machine', () => {
  const byBot = (change: (payload: Json) => void = () => undefined) => ({
    id: randomUUID(),
    change: (payload: Json) => {
      payload.pull_request.user = { ...payload.pull_request.user, id: 50, login: 'agent[bot]', type: 'Bot' };
      change(payload);
    },
  });
  const seen = () => bot.initiators.of(STORY.repoId, STORY.pr);
  const codertocat = { id: 21031067, login: 'Codertocat', isMachine: false };
  const asking = () => {
    bot.deps.policies.inForce = async () => ({
      policy: aPolicy([{ require: { notBy: ['initiator'] } }]),
      number: 1,
    });
  };

  it('is noted without a request to GitHub, unless a rule asks who they are', async () => {
    await bot.deliver('pull_request.assigned', byBot());
    expect([await seen(), github.sent, bot.deliveries.worked.size]).toEqual([[codertocat], [], 1]);
    asking();
    foresee();
    github.expects('POST', CHECK_RUNS, reply.run);
    await bot.deliver('pull_request.assigned', byBot());
    expect(runs()).toHaveLength(1);
  });

  it.each<[string, string, (payload: Json) => void]>([
    ['opened with them', 'pull_request.opened', () => undefined],
    ['reopened with them', 'pull_request.reopened', () => undefined],
    [
      'unassigned, if the webhook of the assignment is lost',
      'pull_request.assigned',
      (payload) => {
        payload.action = 'unassigned';
        payload.pull_request.assignees = [];
      },
    ],
  ])('is noted when it is %s', async (_what, fixture, change) => {
    foresee();
    github.answers('POST', CHECK_RUNS, reply.run);
    await bot.deliver(fixture, byBot(change));
    expect(await seen()).toEqual([codertocat]);
  });

  it('isn’t noted on the pull request of a person', async () => {
    await bot.deliver('pull_request.assigned');
    expect([await seen(), github.sent]).toEqual([[], []]);
  });

  it('is noted when the webhook is delivered again after a failure', async () => {
    bot.stage.fail('initiators.add', 'storeUnavailable');
    const { id, change } = byBot();
    await bot.deliver('pull_request.assigned', { id, change });
    expect([await seen(), bot.deliveries.worked.size]).toEqual([[], 0]);
    bot.stage.heal();
    await bot.deliver('pull_request.assigned', { id, change });
    expect([await seen(), bot.deliveries.worked.size]).toEqual([[codertocat], 1]);
  });
});

describe('a webhook that is delivered again', () => {
  beforeEach(() => {
    foresee();
    github.expects('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', RUN, reply.updated);
  });

  it('creates one check run if ten with the same id arrive at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => bot.deliver('pull_request.opened', { id: 'one' })));
    expect(runs()).toHaveLength(1);
    expect(bot.lines.join('')).not.toContain('webhook failed');
  });
});

describe('two pull requests with the same head', () => {
  it('pass when the waiting one is closed', async () => {
    foresee();
    github.expects('POST', CHECK_RUNS, reply.run);
    github.expects('PATCH', RUN, reply.updated);
    await bot.deliver('pull_request.opened');
    bot.approve();
    await bot.deliver('pull_request.closed', {
      change: ({ pull_request }) => Object.assign(pull_request, { number: 3 }),
    });
    expect(runs()).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });

  it('lose their green check immediately, even behind a burst of new heads', async () => {
    const openAnother = await greenHead();

    const burst = holdClaims(5);
    const worked = Array.from({ length: 20 }, (_, index) =>
      openNewHead(100 + index, (1000 + index).toString(16).padStart(40, '0')),
    );
    await burst.areHeld;
    await openAnother();
    expect(runs().slice(1)).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);

    burst.release();
    await Promise.all(worked);
    expect(runs()).toHaveLength(22);
  });
});

describe('while a person approves', () => {
  it('new heads come one by one, and a head that may be green does not wait', async () => {
    const openAnother = await greenHead();
    let approved = () => {};
    const approval = bot.headTurns.yieldTo(1, () => new Promise<void>((done) => (approved = done)));
    const first = holdClaims(1);
    const heads = ['e'.repeat(40), 'f'.repeat(40)];
    const worked = heads.map((head, at) => openNewHead(100 + at, head));
    await first.areHeld;
    await openAnother();
    expect(runs().slice(1)).toMatchObject([{ head_sha: STORY.head, status: 'in_progress' }]);

    approved();
    await until('the second new head', () => runs().length === 3);
    expect(runs().slice(2)).toMatchObject([{ head_sha: heads[1], status: 'in_progress' }]);
    first.release();
    await Promise.all([approval, ...worked]);
    expect(runs().slice(3)).toMatchObject([{ head_sha: heads[0], status: 'in_progress' }]);
  });
});

/** Approves the pull request's head. The returned function opens a second one with it, into another branch. */
async function greenHead(): Promise<() => Promise<unknown>> {
  let isThere = false;
  github.answers('GET', PULLS, () => reply.pulls((pulls) => isThere && pulls.push(toRelease(pulls[0]))));
  github.answers('POST', CHECK_RUNS, reply.run);
  github.answers('PATCH', RUN, reply.updated);
  bot.approve();
  await bot.deliver('pull_request.opened');
  expect(runs()).toMatchObject([{ head_sha: STORY.head, conclusion: 'success' }]);
  return () => {
    isThere = true;
    return bot.deliver('pull_request.opened', {
      change: ({ pull_request }) => Object.assign(pull_request, toRelease(pull_request)),
    });
  };
}

const openNewHead = (number: number, sha: string) => {
  const opened = githubFixture('pull-request', (pull) =>
    Object.assign(pull, { number, head: { ...pull.head, sha } }),
  );
  // The list lags.
  github.answers('GET', `${PULLS}/${number}`, { status: 200, body: opened });
  return bot.deliver('pull_request.opened', {
    change: ({ pull_request }) => {
      Object.assign(pull_request, { number });
      pull_request.head.sha = sha;
    },
  });
};

/** The pull request as a second one, into another branch. */
const toRelease = (pull: Json) => ({ ...pull, number: 3, base: { ...pull.base, ref: 'release' } });

/** Holds the next claims of runs, as a burst does while GitHub answers. */
function holdClaims(count: number) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  const areHeld = new Promise<void>((done) => {
    let left = count;
    bot.stage.gate = async (call) => {
      if (call !== 'checkRunRecords.claim' || left === 0) return;
      left -= 1;
      if (left === 0) done();
      await released;
    };
  });
  return { areHeld, release };
}

describe('a pull request that is closed', () => {
  const merged = ({ pull_request }: Json) =>
    Object.assign(pull_request, {
      merged: true,
      merged_at: '2026-05-04T12:00:00Z',
      merged_by: { ...pull_request.user, id: 39652351, login: 'hacktocat' },
    });
  const LOGGED = {
    name: `unapproved-merge:${STORY.repoId}:${STORY.pr}`,
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
    github.answers('GET', PULLS, () => open);
  });

  it('is logged once if it was merged without an approval', async () => {
    for (const id of ['one', 'one', 'two']) await bot.deliver('pull_request.closed', { id, change: merged });
    expect(bot.findings.stored).toMatchObject([LOGGED]);
  });

  it('is logged once even while GitHub’s list still shows it as open', async () => {
    open = reply.pulls();
    const closed = githubFixture('pull-request', (pull) => Object.assign(pull, { state: 'closed' }));
    github.answers('GET', `${PULLS}/2`, { status: 200, body: closed });
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    await bot.deliver('pull_request.closed', { change: merged });
    await bot.deliver('pull_request.closed', { change: merged });
    expect(bot.findings.stored).toMatchObject([LOGGED]);
  });

  it('has a webhook that stays unprocessed until the merge is logged', async () => {
    bot.stage.fail('findings.add', 'storeUnavailable');
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect(bot.deliveries.worked.size).toBe(0);
    await bot.deliver('pull_request.closed', { id: 'one', change: merged });
    expect([bot.findings.stored, bot.deliveries.worked.size]).toMatchObject([[LOGGED], 1]);
  });
});

describe('a list of pull requests that lags behind the webhook', () => {
  beforeEach(() => {
    github.expects('POST', CHECK_RUNS, reply.run);
  });

  it('does not hide a new head', async () => {
    const moved = githubFixture('pull-request', (pull) => Object.assign(pull.head, { sha: MOVED }));
    github.answers('GET', `${PULLS}/2`, { status: 200, body: moved });
    github.answers('GET', PULLS, reply.pulls());
    await bot.deliver('pull_request.synchronize', {
      change: ({ pull_request }) => Object.assign(pull_request.head, { sha: MOVED }),
    });
    expect(runs().map(({ head_sha }) => head_sha)).toEqual([MOVED]);
  });

  it('passes no check for a base that the pull request no longer has', async () => {
    const retargeted = githubFixture('pull-request', (pull) => Object.assign(pull.base, { ref: 'release' }));
    github.answers('GET', `${PULLS}/2`, { status: 200, body: retargeted });
    github.answers('GET', PULLS, reply.pulls());
    bot.approve();
    await bot.deliver('pull_request.edited', {
      change: ({ pull_request }) => Object.assign(pull_request.base, { ref: 'release' }),
    });
    expect(runs()).toMatchObject([{ status: 'in_progress', output: { title: 'Waiting for approval' } }]);
  });

  it('does not let a late webhook open a pull request again that it no longer has', async () => {
    const closed = githubFixture('pull-request', (pull) => Object.assign(pull, { state: 'closed' }));
    github.answers('GET', `${PULLS}/2`, { status: 200, body: closed });
    github.answers('GET', PULLS, { status: 200, body: [] });
    await bot.deliver('pull_request.reopened');
    expect(bot.openPulls.saved).toEqual([]);
  });
});
