import { describe, expect, it } from '@jest/globals';
import { syncMergeGroup } from '../../../src/approvals/merge-queue/merge-group.ts';
import type { RunState } from '../../../src/approvals/ports.ts';
import { reconcile } from '../../../src/approvals/reconcile/reconcile.ts';
import { createRecheckRun, differs, repairDrift } from '../../../src/approvals/reconcile/repair-drift.ts';
import { aDenial, aGroup, anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { HEAD_REF, OTHER, type World, watchPriorities, watchUpdates, world } from './world.ts';

const MINUTE = 60_000;

/** One head with its run, waiting or approved; the calls that created it are forgotten. */
async function covered(
  options: { approved?: boolean; denied?: boolean } = {},
): Promise<World & { run: number; updated: number[] }> {
  const w = world();
  if (options.approved) w.approvals.put(anApproval());
  if (options.denied) w.approvals.put(aDenial());
  await reconcile(w);
  w.repaired.splice(0);
  w.stage.calls.splice(0);
  return { ...w, run: w.checkRuns.created[0]?.id ?? 0, updated: watchUpdates(w.checkRuns) };
}

/** One more run, created as pending and then completed; earlier runs weren't written to. */
function expectNewSuccess(w: World & { updated: number[] }, before: number[]): void {
  expect(w.writes()).toEqual(['checkRuns.create', 'checkRuns.update']);
  const newest = w.checkRuns.created.at(-1)?.id;
  expect(before).not.toContain(newest);
  expect(w.updated).toEqual([newest]);
  expect(w.shown(HEAD)).toMatchObject({ status: 'completed', conclusion: 'success' });
}
const PASSED = { status: 'completed', conclusion: 'success' } as const;
function aRunOf(w: World) {
  const [run] = w.checkRuns.created;
  if (!run) throw new Error('no run was created');
  return run;
}
const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
};

describe('comparing a head’s run with GitHub', () => {
  it.each([false, true])('writes nothing if both are the same (approved: %p)', async (approved) => {
    const w = await covered({ approved });
    await repairDrift(w, HEAD_REF);
    expect([w.writes(), w.repaired, w.faults]).toEqual([[], [], []]);
  });

  it('writes nothing to a denied head that GitHub shows as denied, and repairs any other', async () => {
    const w = await covered({ approved: true, denied: true });
    await repairDrift(w, HEAD_REF);
    await reconcile(w);
    expect([w.writes(), w.repaired, w.shown(HEAD)?.conclusion]).toEqual([[], [], 'action_required']);
    for (const conclusion of ['success', 'failure', 'stale']) {
      w.checkRuns.change(w.checkRuns.created.at(-1)?.id ?? 0, { status: 'completed', conclusion });
      w.stage.calls.splice(0);
      await reconcile(w);
      expect([w.writes(), w.shown(HEAD)?.conclusion]).toEqual([['checkRuns.create'], 'action_required']);
    }
    expect(w.updated).toEqual([]);
  });

  it('takes no run for a different one if another process completes it in the meantime', async () => {
    const w = await covered();
    w.approvals.put(anApproval());
    const findNewest = w.checkRuns.findNewest.bind(w.checkRuns);
    w.checkRuns.findNewest = async (...input) => {
      w.checkRuns.findNewest = findNewest;
      await reconcile(w);
      return findNewest(...input);
    };
    await repairDrift(w, HEAD_REF);
    expect([w.writes(), w.updated]).toEqual([['checkRuns.update'], [w.run]]);
  });

  const DIFFERENT: [string, (w: World & { run: number }) => void][] = [
    ['somebody asked for a re-run', (w) => w.checkRuns.change(w.run, { status: 'queued', conclusion: null })],
    ['it went stale', (w) => w.checkRuns.change(w.run, { status: 'completed', conclusion: 'stale' })],
    // We would complete the other one.
    ['it is another run that looks like ours', (w) => void w.checkRuns.created.push({ ...aRunOf(w), id: 9 })],
    ['GitHub shows none', (w) => w.checkRuns.lose(w.run)],
  ];

  it.each(DIFFERENT)('gives a waiting or approved head one new run if %s', async (_what, change) => {
    for (const approved of [false, true]) {
      const w = await covered({ approved });
      change(w);
      const before = w.checkRuns.created.map(({ id }) => id);
      await repairDrift(w, HEAD_REF);
      if (approved) expectNewSuccess(w, before);
      else expect([w.writes(), w.shown(HEAD)?.status]).toEqual([['checkRuns.create'], 'in_progress']);
      expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
      w.stage.calls.splice(0);
      await repairDrift(w, HEAD_REF);
      expect(w.writes()).toEqual([]);
    }
  });

  it.each(['checkRunRecords.latest', 'checkRuns.findNewest', 'checkRuns.create', 'approvals.ofHead'])(
    'logs a fault and repairs the run the next time: %s',
    async (call) => {
      const w = await covered();
      w.checkRuns.lose(w.run);
      w.stage.fail(call, 'githubUnavailable');
      await repairDrift(w, HEAD_REF);
      expect(w.faults).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
      await repairDrift(w, HEAD_REF);
      expect(w.shown(HEAD)?.status).toBe('in_progress');
    },
  );
});

describe('a success on GitHub that OTP Guard never gave', () => {
  const forged = async (change: (w: World & { run: number }) => unknown = () => undefined) => {
    const w = await covered();
    await reconcile(w);
    w.memberships.notified.push('octocat');
    await change(w);
    return w;
  };
  const pass = (w: World & { run: number }, conclusion = 'success') =>
    w.checkRuns.change(w.run, { status: 'completed', conclusion });

  it.each<[string, (w: World & { run: number }) => unknown]>([
    ['our own run was completed', (w) => pass(w)],
    ['it was completed as neutral, which also lets merge', (w) => pass(w, 'neutral')],
    ['it was completed as skipped, which also lets merge', (w) => pass(w, 'skipped')],
    [
      'it is another run',
      (w) => w.checkRuns.created.push({ ...aRunOf(w), id: 9, content: { ...aRunOf(w).content, ...PASSED } }),
    ],
    [
      'nothing is known of the head',
      (w) => {
        pass(w);
        w.checkRunRecords.records.splice(0);
      },
    ],
  ])('is repaired, logged and reported, once: %s', async (_what, change) => {
    const w = await forged(change);
    const priorities = watchPriorities(w.checkRuns);
    const { repaired, faults } = await reconcile(w);
    expect([w.shown(HEAD)?.status, repaired.length, faults]).toEqual(['in_progress', 1, []]);
    expect(priorities).toEqual(['takeAway']);
    await reconcile(w);
    expect(w.forged).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
    expect(w.findings.stored.map(({ effects }) => effects)).toMatchObject([
      {
        activity: { activity: 'forgedCheck', data: { sha: HEAD, pr: 7, repo: 'hello', org: 'octo-org' } },
        notices: [{ kind: 'forgedCheck', userId: 'octocat' }],
      },
    ]);
  });

  it.each([false, true])('is found on a merge queue’s group, unless that passed (%p)', async (passed) => {
    const w = await forged();
    const { head, baseSha } = aGroup();
    w.branches.tips.set('hello', baseSha);
    if (passed) w.approvals.put(anApproval());
    await syncMergeGroup(w, REPO, aGroup());
    w.checkRuns.change(w.checkRuns.shown(head)?.id ?? 0, PASSED);
    await reconcile(w);
    w.stage.calls.splice(0);
    expect((await reconcile(w)).faults).toEqual([]);
    expect(w.count('checkRuns.findNewest')).toBe(passed ? 0 : 1);
    expect(w.shown(head)?.conclusion).toBe(passed ? 'success' : 'failure');
    expect(w.forged).toEqual(passed ? [] : [{ repository: 'octo-org/hello', head }]);
  });

  it('is reported by one of two processes that find it', async () => {
    const w = await forged(pass);
    await Promise.all([repairDrift(w, HEAD_REF), repairDrift(w, HEAD_REF)]);
    expect(w.forged).toHaveLength(1);
  });

  it('is repaired even if nothing can be read for the alert', async () => {
    const w = await forged(pass);
    w.stage.fail('reconcileReports.latest', 'storeUnavailable');
    w.stage.calls.splice(0);
    await repairDrift(w, HEAD_REF);
    expect([w.writes(), w.faults.length]).toEqual([['checkRuns.create'], 1]);
  });

  it.each<[string, (w: World & { run: number }) => unknown]>([
    ['a pending run', () => undefined],
    ['a failure', (w) => pass(w, 'failure')],
    [
      'the head is approved',
      (w) => {
        pass(w);
        w.approvals.put(anApproval());
      },
    ],
    [
      'a process died after GitHub completed the run, and then the base changed',
      async (w) => {
        w.approvals.put(anApproval());
        w.stage.fail('checkRuns.update', 'githubUnavailable', { when: 'after' });
        await reconcile(w);
        expect(w.checkRuns.newest(HEAD)?.conclusion).toBe('success');
        w.pulls.all = [aPull({ base: 'other' })];
      },
    ],
    [
      'the record store is new, or a backup was restored',
      (w) => {
        pass(w);
        w.reconcileReports.stored.splice(0);
      },
    ],
    [
      'a backup was restored, and GitHub did not answer in the first round',
      async (w) => {
        pass(w);
        w.reconcileReports.stored.splice(0);
        for (const call of ['openHeads.read', 'pullRequests.listOpen', 'checkRuns.findNewest'])
          w.stage.fail(call, 'githubUnavailable');
        expect((await reconcile(w)).faults).not.toEqual([]);
      },
    ],
  ])('is nothing else: %s', async (_what, change) => {
    const w = await forged(change);
    await reconcile(w);
    expect([w.forged, w.findings.stored]).toEqual([[], []]);
  });
});

describe('a run that a process is creating', () => {
  /** The head's next attempt, which a process claimed and for which it hasn't created a run yet. */
  const claimed = async (state?: RunState) => {
    const w = await covered();
    const pending = await w.checkRunRecords.latest(42, HEAD);
    const next = await w.checkRunRecords.claim(42, HEAD, 2);
    if (!pending || !next) throw new Error('no run was claimed');
    if (state) await w.checkRunRecords.save(next, 0, state);
    /** Continues the process, when GitHub has answered. */
    const finish = () => {
      w.checkRuns.created.push({ ...aRunOf(w), id: 2000 });
      Object.assign(w.checkRunRecords.records.at(-1) ?? {}, { ...pending, attempt: 2, checkRunId: 2000 });
    };
    return { ...w, finish };
  };

  it('isn’t compared with GitHub, and isn’t replaced', async () => {
    const w = await claimed();
    await repairDrift({ ...w, sleep: async () => w.finish() }, HEAD_REF);
    expect([w.count('checkRuns.findNewest'), w.writes(), w.faults]).toEqual([0, [], []]);
  });

  it('is compared again once it was given up, so that a green run from before is found', async () => {
    const w = await claimed({ phase: 'failed', fingerprint: '', mayBeGreen: true });
    w.checkRuns.change(w.run, PASSED);
    await repairDrift(w, HEAD_REF);
    expect(w.shown(HEAD)?.status).toBe('in_progress');
  });
});

it('replaces a run that was about to be completed if GitHub shows anything but a success', async () => {
  const w = await covered();
  const known = await w.checkRunRecords.latest(42, HEAD);
  const completing = known && { ...known, phase: 'completing' as const };
  const shown = { id: w.run, status: 'completed', detailsUrl: '' };
  const outcomes = ['success', 'failure', 'stale'].map((conclusion) =>
    differs({ ...shown, conclusion }, completing),
  );
  expect(outcomes).toEqual([false, true, true]);
});

describe('a head that a person is looking at', () => {
  it('is compared in the background, at most once a minute', async () => {
    const w = await covered();
    const restore = createRecheckRun(w);
    const looks = () => w.count('checkRuns.findNewest');
    restore(HEAD_REF);
    restore(HEAD_REF);
    await settle();
    expect(looks()).toBe(1);
    w.clock.pass(MINUTE - 1);
    restore(HEAD_REF);
    w.stage.calls.splice(0);
    restore({ ...HEAD_REF, head: OTHER });
    await settle();
    expect(w.count('checkRunRecords.latest')).toBeGreaterThan(0);
    w.stage.calls.splice(0);
    w.clock.pass(1);
    restore(HEAD_REF);
    await settle();
    expect(looks()).toBe(1);
  });
});
