import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import { reportHead } from '../../../src/approvals/report.ts';
import {
  anApproval,
  anInstallation,
  aPull,
  FakeClock,
  fakeGitHub,
  fakeStores,
  HEAD,
  REPO,
  Stage,
} from '../../support/fakes.ts';
import { seeded } from '../../support/seeded.ts';
import { interleave, patiently, sleepAndDie } from './interleaving.ts';

const AT = { repo: REPO, repoId: 42, head: HEAD };
const PLACES = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

function world() {
  const stage = new Stage();
  const clock = new FakeClock();
  const deps = { ...fakeStores(stage, clock), ...fakeGitHub(stage), clock, places: PLACES };
  deps.pulls.all = [aPull()];
  return {
    ...deps,
    report: (pulls?: PullRequest[]) => reportHead(deps, AT, pulls && { pulls }),
    /** What GitHub shows of the head. */
    shown: () => deps.checkRuns.shown(HEAD)?.content,
    creates: () => stage.calls.filter((call) => call === 'checkRuns.create').length,
  };
}

type World = ReturnType<typeof world>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const failure = () => new AppError('githubUnavailable');

describe('reporting a head', () => {
  it('makes one pending run, and no second one', async () => {
    const w = world();
    expect(await w.report()).toMatchObject({ passed: false });
    expect(w.shown()?.status).toBe('in_progress');
    await w.report();
    expect(w.creates()).toBe(1);
  });

  it('writes down what waits and what is approved, and since when the head waits', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    await w.report();
    const since = w.clock.now();
    expect(w.openPulls.noted).toMatchObject([
      { orgId: 9, repoId: 42, pr: 7, head: HEAD, approved: false, since },
    ]);
    w.clock.pass(60_000);
    w.approvals.put(anApproval());
    await w.report();
    expect(w.openPulls.noted).toMatchObject([{ head: HEAD, approved: true, since }]);
  });

  it('decides nothing by what it wrote down', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    w.stage.fail('openPulls.note', new AppError('storeUnavailable'));
    await w.report().catch(() => undefined);
    for (const pull of w.openPulls.noted) pull.approved = true;
    expect(await w.report()).toMatchObject({ passed: false });
    expect(w.shown()?.status).toBe('in_progress');
  });

  it('does not write what GitHub shows already', async () => {
    const w = world();
    await w.report();
    w.stage.calls.splice(0);
    await w.report();
    expect(w.stage.calls).not.toContain('checkRuns.update');
  });

  it('completes the run once the head is approved, and notes that GitHub has heard', async () => {
    const w = world();
    await w.report();
    w.approvals.put(anApproval());
    expect(await w.report()).toMatchObject({ passed: true });
    expect(w.shown()).toMatchObject({ status: 'completed', conclusion: 'success' });
    expect(w.approvals.stored.map(({ reported }) => reported)).toEqual([true]);
    expect(w.creates()).toBe(1);
  });

  it('waits again with a new run where an approved pull request goes into another branch', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report();
    w.pulls.all = [aPull({ base: 'next' })];
    expect(await w.report()).toMatchObject({ passed: false });
    expect(w.shown()?.status).toBe('in_progress');
  });

  it('makes no run where no open pull request has the head', async () => {
    const w = world();
    w.pulls.all = [aPull({ open: false })];
    await w.report();
    expect(w.creates()).toBe(0);
  });

  it('owes what it cannot see: nothing is noted as reported', async () => {
    const w = world();
    w.approvals.put(anApproval());
    w.pulls.all = null;
    expect(await w.report()).toEqual({ passed: false, standings: [], written: false });
    expect(w.approvals.stored[0]?.reported).toBe(false);
    expect(w.creates()).toBe(0);
  });

  it('finds an approved pull request that the list leaves out', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report([]);
    expect(w.shown()?.status).toBe('completed');
  });

  it('makes a new run where GitHub has lost the old one', async () => {
    const w = world();
    await w.report();
    w.checkRuns.lose(w.checkRuns.made[0]?.id ?? 0);
    w.approvals.put(anApproval());
    await w.report();
    expect(w.shown()?.status).toBe('completed');
    expect(w.creates()).toBe(2);
  });
});

describe('reporting a head while GitHub or the record store fails', () => {
  it('makes the run the next time, where making it failed', async () => {
    const w = world();
    w.stage.fail('checkRuns.create', failure());
    await expect(w.report()).rejects.toMatchObject({ code: 'githubUnavailable' });
    await w.report();
    expect(w.checkRuns.made).toHaveLength(1);
  });

  it('finds the run at GitHub, where it is not known whether it was made', async () => {
    const w = world();
    w.stage.fail('checkRuns.create', failure(), { when: 'after' });
    await expect(w.report()).rejects.toMatchObject({ code: 'githubUnavailable' });
    w.approvals.put(anApproval());
    await w.report();
    expect(w.checkRuns.made).toHaveLength(1);
    expect(w.shown()?.status).toBe('completed');
  });

  it('takes over from one that died while it made the run', async () => {
    const w = world();
    await w.runs.claim(42, HEAD, 1);
    const waits = w.report().catch((error: AppError) => error.code);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await waits).toBe('githubUnavailable');
    w.clock.pass(31_000);
    await w.report();
    expect(w.checkRuns.made).toHaveLength(1);
  });

  it('comes out right whatever call fails, before its effect or after it, once it is tried again', async () => {
    /** Tries until it works, as redeliveries and the sweeper do. */
    const persist = async (w: World) => {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const worked = await patiently(w.report()).then(
          () => true,
          () => false,
        );
        if (worked) return;
        w.clock.pass(31_000);
      }
    };
    const story = async (w: World) => {
      await persist(w);
      w.approvals.put(anApproval());
      await persist(w);
    };
    const plain = world();
    await story(plain);
    const calls = new Set(plain.stage.calls);
    expect(calls.size).toBeGreaterThan(5);
    for (const call of calls) {
      for (const when of ['before', 'after'] as const) {
        const w = world();
        w.stage.fail(call, failure(), { when });
        await story(w);
        const shown = { made: w.checkRuns.made.length, status: w.shown()?.status };
        expect({ call, when, ...shown }).toEqual({ call, when, made: 1, status: 'completed' });
        expect([call, when, w.approvals.stored[0]?.reported]).toEqual([call, when, true]);
      }
    }
  });
});

describe('reporting a head at the same moment', () => {
  it('makes exactly one run for twenty callers', async () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const w = world();
      const random = seeded(seed);
      const actors = Array.from({ length: 20 }, () => () => w.report());
      const results = await interleave(w.stage, actors, (count) => Math.floor(random() * count));
      expect([seed, w.checkRuns.made.length, w.shown()?.status]).toEqual([seed, 1, 'in_progress']);
      expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });

  type Story = [
    name: string,
    setUp: (w: World) => Promise<void>,
    actors: (w: World) => (() => Promise<unknown>)[],
  ];

  const approves =
    (w: World, change: Parameters<typeof anApproval>[0] = {}) =>
    async () => {
      await w.stage.play('the approval', () => w.approvals.put(anApproval(change)));
      await w.report();
    };
  const changes = (w: World, change: () => void) => async () => {
    await w.stage.play('the change', change);
    await w.report();
  };
  /** A caller that read the pull requests a while ago. */
  const stale = (w: World) => {
    const pulls = structuredClone(w.pulls.all ?? []);
    return () => w.report(pulls);
  };

  const STORIES: Story[] = [
    [
      'an approval and a stale caller, before there is a run',
      async () => undefined,
      (w) => [stale(w), approves(w)],
    ],
    [
      'an approval and two stale callers, when there is a run',
      async (w) => void (await w.report()),
      (w) => [stale(w), approves(w), stale(w)],
    ],
    [
      'an approval and a change of base',
      async (w) => void (await w.report()),
      (w) => [
        approves(w),
        changes(w, () => {
          w.pulls.all = [aPull({ base: 'next' })];
        }),
        stale(w),
      ],
    ],
    [
      'a change of base of an approved head, and a stale caller',
      async (w) => {
        w.approvals.put(anApproval());
        await w.report();
      },
      (w) => [
        stale(w),
        changes(w, () => {
          w.pulls.all = [aPull({ base: 'next' })];
        }),
        stale(w),
      ],
    ],
    [
      'approvals of two pull requests',
      async (w) => {
        w.pulls.all = [aPull(), aPull({ number: 8 })];
        await w.report();
      },
      (w) => [approves(w), approves(w, { pr: 8 }), stale(w)],
    ],
    [
      'an approval of one of two pull requests while the other closes',
      async (w) => {
        w.pulls.all = [aPull(), aPull({ number: 8 })];
        await w.report();
      },
      (w) => [
        approves(w),
        changes(w, () => {
          w.pulls.all = [aPull(), aPull({ number: 8, open: false })];
        }),
        stale(w),
      ],
    ],
    [
      'an approved head that a second pull request comes to share',
      async (w) => {
        w.approvals.put(anApproval());
        await w.report();
      },
      (w) => [
        stale(w),
        changes(w, () => {
          w.pulls.all = [aPull(), aPull({ number: 8 })];
        }),
      ],
    ],
  ];

  it.each(STORIES)('shows in the end what is true: %s', async (_name, setUp, actors) => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const w = world();
      await setUp(w);
      const random = seeded(seed);
      const acting = actors(w);
      const results = await interleave(w.stage, acting, (count) => Math.floor(random() * count));
      // What failed is tried again, as a redelivery or the sweeper would.
      for (const [index, { status }] of results.entries()) if (status === 'rejected') await acting[index]?.();
      const { passed } = await truth(w);
      const shown = w.shown();
      expect([seed, shown?.status]).toEqual([seed, passed ? 'completed' : 'in_progress']);
      if (passed) expect(w.approvals.stored.every(({ reported }) => reported)).toBe(true);
    }
  });

  it('does not fall behind: almost no caller has to try again', async () => {
    let failed = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const w = world();
      const random = seeded(seed);
      const actors = [stale(w), approves(w), stale(w), () => w.report()];
      const results = await interleave(w.stage, actors, (count) => Math.floor(random() * count));
      failed += results.filter(({ status }) => status === 'rejected').length;
    }
    expect(failed).toBeLessThan(8);
  });

  it('is put right by the next look, wherever a caller with old knowledge dies', async () => {
    const wrong: unknown[] = [];
    for (let sleepsAt = 1; ; sleepsAt += 1) {
      let hasSlept = false;
      for (let diesAt = sleepsAt; ; diesAt += 1) {
        const w = world();
        await w.report();
        const came = await sleepAndDie(w.stage, stale(w), {
          sleepsAt,
          diesAt,
          async meanwhile() {
            w.approvals.put(anApproval());
            await w.report();
          },
        });
        hasSlept = came.asleep;
        w.clock.pass(31_000);
        await patiently(w.report());
        if (w.shown()?.status !== 'completed') wrong.push({ sleepsAt, diesAt, calls: w.stage.calls });
        if (!came.dead) break;
      }
      if (!hasSlept) break;
    }
    expect(wrong).toEqual([]);
  });

  it('is never left green by a caller with old knowledge, wherever it dies, once somebody looks', async () => {
    const wrong: unknown[] = [];
    for (let sleepsAt = 1; ; sleepsAt += 1) {
      let hasSlept = false;
      for (let diesAt = sleepsAt; ; diesAt += 1) {
        const w = world();
        await w.report();
        w.approvals.put(anApproval());
        const came = await sleepAndDie(w.stage, stale(w), {
          sleepsAt,
          diesAt,
          async meanwhile() {
            w.pulls.all = [aPull({ base: 'next' })];
            await w.report();
          },
        });
        hasSlept = came.asleep;
        w.clock.pass(31_000);
        await patiently(w.report());
        if (w.shown()?.status !== 'in_progress') wrong.push({ sleepsAt, diesAt, calls: w.stage.calls });
        if (!came.dead) break;
      }
      if (!hasSlept) break;
    }
    expect(wrong).toEqual([]);
  });

  async function truth(w: World): Promise<{ passed: boolean }> {
    const open = (w.pulls.all ?? []).filter((pull) => pull.open);
    const isApproved = (pull: PullRequest) =>
      w.approvals.stored.some(
        (one) => one.pr === pull.number && one.base === pull.base && one.head === pull.head,
      );
    return { passed: open.every(isApproved) };
  }
});
