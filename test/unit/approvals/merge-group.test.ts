import { describe, expect, it } from '@jest/globals';
import { retryMergeGroups, syncMergeGroup } from '../../../src/approvals/merge-queue/merge-group.ts';
import type { KnownGroup, MergeGroup, PullRequest } from '../../../src/approvals/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { aGroup, anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const GROUP = aGroup();
const MOVED = 'cd'.repeat(20);
const report = (w: World, group: MergeGroup = GROUP, options?: { replaceAttempt: number }) =>
  syncMergeGroup(w, REPO, group, options);

/** GitHub returns the commit that the group is built on as the tip of `main`. */
const atTip = () => {
  const w = world();
  w.branches.tips.set('hello', GROUP.baseSha);
  return w;
};
const approved = () => {
  const w = atTip();
  w.approvals.put(anApproval());
  return w;
};
/** A known group of #6, on which `GROUP` is built, unless the test changes it. */
const putBefore = (w: World, verdict: KnownGroup['verdict'], change: Partial<KnownGroup> = {}) =>
  w.mergeGroups.stored.push({
    ...aGroup({ head: GROUP.baseSha, pr: 6, baseSha: MOVED }),
    repo: REPO,
    pullHead: HEAD,
    since: w.clock.now(),
    finished: verdict !== 'waiting',
    verdict,
    ...change,
  });

describe('a merge queue’s group', () => {
  it('may merge if its pull request is approved at its current head for that branch', async () => {
    const w = approved();
    expect(await report(w)).toEqual({ verdict: 'passed' });
    expect(w.shown(GROUP.head)).toEqual({
      status: 'completed',
      conclusion: 'success',
      detailsUrl: 'https://github.com/octo-org/hello/pull/7',
      title: '#7 is approved',
      summary: `#7 was approved at \`${HEAD.slice(0, 8)}\` for \`main\`.`,
    });
    expect(w.mergeGroups.stored).toMatchObject([
      { ...GROUP, repo: REPO, pullHead: HEAD, verdict: 'passed', finished: true },
    ]);
  });

  const shows = (change: Partial<PullRequest>) => (w: World) => w.pulls.all?.splice(0, 1, aPull(change));
  const approvedAs = (change: object) => (w: World) => Object.assign(w.approvals.stored[0] ?? {}, change);
  const onFailed = (w: World) => {
    w.branches.tips.set('hello', MOVED);
    putBefore(w, 'failed');
  };
  const NOBODY = /^Nobody has approved commit/;
  const NOT_OPEN = /^#7 isn't an open pull request\./;
  const OBSTACLES: [string, (w: World) => unknown, RegExp][] = [
    ['nobody has approved it', (w) => w.approvals.stored.splice(0), NOBODY],
    [
      'somebody denied its head',
      (w) => w.approvals.put({ ...anApproval({ githubId: 12, login: 'octocat' }), reason: 'No.' }),
      /^@octocat denied commit `abababab` of #7\./,
    ],
    ['an older head of it was approved', shows({ head: MOVED }), /^Nobody has approved commit `cdcdcdcd`/],
    ['only another organization approved it', approvedAs({ orgId: 10 }), NOBODY],
    ['it is closed', shows({ open: false }), NOT_OPEN],
    ['it belongs to another repository', shows({ repo: { ...aPull().repo, id: 43 } }), NOT_OPEN],
    ['its base is another branch', shows({ base: 'next' }), /^#7 goes into `next`, not into `main`\./],
    ['the group that it is built on failed', onFailed, /^#6, which this group is built on, may not merge\./],
  ];

  it.each(OBSTACLES)('may not merge if %s', async (_what, change, says) => {
    const w = approved();
    change(w);
    expect(await report(w)).toEqual({ verdict: 'failed' });
    const shown = w.shown(GROUP.head);
    expect(shown).toMatchObject({ status: 'completed', conclusion: 'failure', title: '#7 may not merge' });
    expect(shown?.summary).toMatch(says);
    expect(w.mergeGroups.stored.at(-1)).toMatchObject({ ...GROUP, finished: true });
    expect(w.mergeGroups.stored.at(-1)?.verdict).not.toBe('passed');
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).not.toContain('success');
  });

  it.each<[string, (w: World) => unknown]>([
    [
      'the tip of the branch, for which GitHub has made no check suite',
      (w) => w.branches.tips.clear() ?? w.branches.unshown.set('hello', GROUP.baseSha),
    ],
    ['a failed group that was merged by force, and is the tip now', (w) => putBefore(w, 'failed')],
  ])('may merge if it is built on %s', async (_what, change) => {
    const w = approved();
    change(w);
    expect(await report(w)).toEqual({ verdict: 'passed' });
  });

  it('may merge if the group it is built on may', async () => {
    const w = approved();
    w.branches.tips.clear();
    putBefore(w, 'passed');
    const run = await w.checkRunRecords.claim(GROUP.repoId, GROUP.baseSha, 1);
    if (!run) throw new Error('the run was claimed before');
    const shown = { phase: 'completed', fingerprint: 'group:success', mayBeGreen: true } as const;
    await w.checkRunRecords.save(run, 1, shown);
    expect(await report(w)).toEqual({ verdict: 'passed' });
  });

  it.each([false, true])(
    'fails while its pull request cannot be read, and may merge after a re-run (it had passed: %p)',
    async (hadPassed) => {
      const w = approved();
      if (hadPassed) await report(w);
      const stored = hadPassed ? [{ verdict: 'passed' }] : [];
      const { all } = w.pulls;
      w.pulls.all = null;
      expect(await report(w)).toEqual({ verdict: 'failed' });
      expect(w.shown(GROUP.head)?.summary).toMatch(NOT_OPEN);
      expect(w.mergeGroups.stored).toMatchObject(stored);
      w.pulls.all = all;
      expect(await report(w, GROUP, { replaceAttempt: hadPassed ? 2 : 1 })).toEqual({ verdict: 'passed' });
      expect(w.shown(GROUP.head)?.conclusion).toBe('success');
    },
  );

  describe('that is built on an unknown commit', () => {
    const built = () => {
      const w = approved();
      w.branches.tips.set('hello', 'aa'.repeat(20));
      return w;
    };
    const before = aGroup({ head: GROUP.baseSha, baseSha: 'aa'.repeat(20), pr: 6 });
    const OTHER = '12'.repeat(20);
    const openBefore = (w: World) => w.pulls.all?.push(aPull({ number: 6, head: OTHER }));
    const approveBefore = (w: World) => w.approvals.put(anApproval({ pr: 6, head: OTHER }));
    const minutes = (w: World, count: number) => w.clock.pass(count * 60_000);

    const UNKNOWN: [string, (w: World) => void, RegExp][] = [
      ['is no group that we know', () => undefined, /neither the tip of `main` nor a group that OTP Guard/],
      ['may be the tip, which GitHub does not show', (w) => w.branches.tips.clear(), /is neither the tip/],
      ['is a group of another branch', (w) => putBefore(w, 'passed', { base: 'next' }), /is neither the tip/],
      ['is a group of another repository', (w) => putBefore(w, 'passed', { repoId: 43 }), /is neither the/],
      ['is a group that waits', (w) => putBefore(w, 'waiting'), /group of #6, whose check hasn't passed/],
      ['is a group that GitHub shows as pending', (w) => putBefore(w, 'passed'), /group of #6, whose check/],
    ];
    it.each(UNKNOWN)('waits with a pending run if the commit %s, and fails after an hour', async (...row) => {
      const [, change, says] = row;
      const w = built();
      change(w);
      expect(await report(w)).toEqual({ verdict: 'waiting' });
      expect(w.shown(GROUP.head)).toMatchObject({
        status: 'in_progress',
        summary: expect.stringMatching(says),
      });

      minutes(w, 59);
      expect(await report(w)).toEqual({ verdict: 'waiting' });
      minutes(w, 1);
      expect(await report(w)).toEqual({ verdict: 'failed' });
      expect(w.shown(GROUP.head)).toMatchObject({
        conclusion: 'failure',
        summary: expect.stringMatching(/Add it to the queue again\.$/),
      });
      expect(w.mergeGroups.stored.at(-1)).toMatchObject({ ...GROUP, finished: true });
      // Nothing is wrong with the group itself, so a re-run may have another outcome.
      w.branches.tips.set('hello', GROUP.baseSha);
      expect(await report(w, GROUP, { replaceAttempt: 1 })).toEqual({ verdict: 'passed' });
    });

    it.each([true, false])('follows the group of that commit if its webhook is late: %p', async (passes) => {
      const w = built();
      openBefore(w);
      await report(w);
      if (passes) approveBefore(w);
      await report(w, before);
      expect(w.shown(GROUP.head)?.conclusion).toBe(passes ? 'success' : 'failure');
      expect(w.mergeGroups.stored.map(({ finished }) => finished)).toEqual([true, true]);
    });

    it('does not pass if its pull request gets another head meanwhile, even an approved one', async () => {
      const w = built();
      openBefore(w);
      approveBefore(w);
      await report(w);
      w.pulls.all = [aPull({ head: MOVED }), aPull({ number: 6, head: OTHER })];
      w.approvals.put(anApproval({ head: MOVED }));
      await report(w, before);
      expect(w.shown(GROUP.head)?.summary).toMatch(/^#7 has a different commit/);
    });

    it('fails immediately if nobody has approved it', async () => {
      const w = built();
      w.approvals.stored.splice(0);
      expect(await report(w)).toEqual({ verdict: 'failed' });
    });

    describe('and is retried', () => {
      it('completes when the group before does, in one round, without asking GitHub in vain', async () => {
        const w = built();
        const pauses = new Map();
        await report(w);
        openBefore(w);
        approveBefore(w);
        w.stage.fail('mergeGroups.unfinished', 'storeUnavailable');
        await report(w, before).catch(() => undefined);
        expect(w.shown(GROUP.head)?.status).toBe('in_progress');
        await retryMergeGroups(w, pauses);
        expect(w.shown(GROUP.head)?.conclusion).toBe('success');
        w.stage.calls.splice(0);
        await retryMergeGroups(w, pauses);
        expect(w.stage.calls).toEqual(['mergeGroups.unfinished']);
      });

      it('asks GitHub after growing pauses, and no more after two hours', async () => {
        const w = built();
        const pauses = new Map();
        await report(w);
        w.stage.calls.splice(0);
        for (let round = 0; round < 120; round += 1) {
          await retryMergeGroups(w, pauses);
          w.clock.pass(15_000);
        }
        expect(w.count('branches.tip')).toBeLessThan(12);
        w.stage.fail('pullRequests.get', 'githubUnavailable', { times: 9 });
        minutes(w, 91);
        await retryMergeGroups(w, pauses);
        expect(w.mergeGroups.stored).toMatchObject([{ finished: true, verdict: 'waiting' }]);
      });

      it('continues with the other groups if one fails', async () => {
        const w = built();
        await report(w);
        await report(w, aGroup({ head: 'e2'.repeat(20) }));
        w.branches.tips.set('hello', GROUP.baseSha);
        w.stage.fail('pullRequests.get', 'githubUnavailable');
        await retryMergeGroups(w, new Map());
        expect(w.faults).toEqual([{ repository: 'octo-org/hello', head: GROUP.head }]);
        expect(w.shown('e2'.repeat(20))?.conclusion).toBe('success');
      });
    });
  });
});

describe('a merge queue’s group whose webhook is delivered again', () => {
  it('gets no second run', async () => {
    const w = approved();
    await report(w);
    expect(w.writes()).toEqual(['checkRuns.create', 'checkRuns.update']);
    // Even if the branch has moved since.
    w.branches.tips.set('hello', MOVED);
    expect(await report(w)).toEqual({ verdict: 'passed' });
    expect(w.writes()).toHaveLength(2);
  });

  it('still may not merge if its pull request is approved later, but a new group may', async () => {
    const w = atTip();
    expect(await report(w)).toEqual({ verdict: 'failed' });
    w.approvals.put(anApproval());
    expect([await report(w), w.writes()]).toEqual([{ verdict: 'failed' }, ['checkRuns.create']]);
    expect(await report(w, GROUP, { replaceAttempt: 1 })).toEqual({ verdict: 'failed' });
    expect(w.writes()).toEqual(['checkRuns.create', 'checkRuns.create']);
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).toEqual(['failure', 'failure']);
    expect(w.shown(GROUP.head)?.summary).toMatch(/^#7 couldn't merge when this group was created\./);
    expect(w.mergeGroups.stored).toMatchObject([{ ...GROUP, pullHead: HEAD, verdict: 'failed' }]);
    expect(await report(w, aGroup({ head: 'e2'.repeat(20) }))).toEqual({ verdict: 'passed' });
  });

  it('may no longer merge if the group that it is built on fails after both passed', async () => {
    const w = atTip();
    const OTHER = '12'.repeat(20);
    const before = aGroup({ pr: 6, head: GROUP.baseSha, baseSha: MOVED });
    w.branches.tips.set('hello', MOVED);
    w.pulls.all?.push(aPull({ number: 6, head: OTHER }));
    w.approvals.put(anApproval());
    const { id } = w.approvals.put(anApproval({ pr: 6, head: OTHER }));
    expect([await report(w, before), await report(w)]).toEqual([
      { verdict: 'passed' },
      { verdict: 'passed' },
    ]);
    w.approvals.stored.splice(
      w.approvals.stored.findIndex((one) => one.id === id),
      1,
    );
    expect(await report(w, before)).toEqual({ verdict: 'failed' });
    expect([await report(w), w.shown(GROUP.head)?.conclusion]).toEqual([{ verdict: 'failed' }, 'failure']);
    expect(w.shown(GROUP.head)?.summary).toMatch(/^#6, which this group is built on, may not merge\./);
    expect(w.mergeGroups.stored.map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
  });

  it('may no longer merge if its pull request has another head', async () => {
    const w = approved();
    await report(w);
    w.pulls.all = [aPull({ head: MOVED })];
    w.approvals.put(anApproval({ head: MOVED }));
    expect([await report(w), w.shown(GROUP.head)?.conclusion]).toEqual([{ verdict: 'failed' }, 'failure']);
    expect(w.shown(GROUP.head)?.summary).toMatch(/^#7 has a different commit than/);
    expect(w.mergeGroups.stored).toMatchObject([{ ...GROUP, pullHead: HEAD, verdict: 'failed' }]);
  });
});

describe('a merge queue’s group while GitHub or the record store does not answer', () => {
  const READS = ['checkRunRecords.latest', 'pullRequests.get', 'approvals.ofHead', 'mergeGroups.find'];
  it.each([...READS, 'branches.tip', 'mergeGroups.add'])(
    'fails without a trace of a success: %s',
    async (call) => {
      const w = approved();
      w.stage.fail(call, 'githubUnavailable');
      expect(await codeOf(report(w))).toBe('githubUnavailable');
      expect(w.mergeGroups.stored.filter(({ verdict }) => verdict !== 'waiting')).toEqual([]);
      expect(w.checkRuns.created).toEqual([]);
      expect(await report(w)).toEqual({ verdict: 'passed' });
    },
  );

  const WRITES = ['checkRunRecords.claim', 'checkRuns.create', 'checkRunRecords.save', 'checkRuns.update'];
  it.each([...WRITES, 'mergeGroups.settle', 'mergeGroups.finish', 'mergeGroups.unfinished'])(
    'fails, and may merge with the next delivery: %s',
    async (call) => {
      for (const when of ['before', 'after'] as const) {
        const w = approved();
        w.stage.fail(call, 'githubUnavailable', { when });
        expect(await codeOf(report(w))).toBe('githubUnavailable');
        w.clock.pass(31_000);
        expect(await report(w)).toEqual({ verdict: 'passed' });
        expect([call, when, w.checkRuns.created.length]).toEqual([call, when, 1]);
        expect(w.shown(GROUP.head)?.conclusion).toBe('success');
      }
    },
  );
});
