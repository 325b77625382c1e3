import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import { syncMergeGroup } from '../../../src/approvals/merge-group.ts';
import type { MergeGroup } from '../../../src/approvals/ports.ts';
import { aGroup, anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { patiently } from './interleaving.ts';
import { fakeTimers, type World, watchUpdates, world } from './world.ts';

const GROUP = aGroup();
const MOVED = 'cd'.repeat(20);
const report = (w: World, group: MergeGroup = GROUP, options?: { replaceAttempt: number }) =>
  syncMergeGroup(w, REPO, group, options);

const approved = () => {
  const w = world();
  w.approvals.put(anApproval());
  return w;
};
const writes = (w: World) => w.stage.calls.filter((call) => /^checkRuns\.(create|update)$/.test(call));

describe('a merge queue’s group', () => {
  it('may merge if its pull request is approved at its current head for that branch', async () => {
    const w = approved();
    expect(await report(w)).toEqual({ passed: true });
    expect(w.shown(GROUP.head)).toEqual({
      status: 'completed',
      conclusion: 'success',
      detailsUrl: 'https://github.com/octo-org/hello/pull/7',
      title: '#7 is approved',
      summary: `#7 was approved at \`${HEAD.slice(0, 8)}\` for \`main\`.`,
    });
    expect(w.mergeGroups.stored).toEqual([{ ...GROUP, passed: true, pullHead: HEAD }]);
  });

  const OBSTACLES: [string, (w: World) => void, RegExp][] = [
    ['nobody has approved it', (w) => w.approvals.stored.splice(0), /^Nobody has approved commit/],
    [
      'its head was approved for another branch',
      (w) => Object.assign(w.approvals.stored[0] ?? {}, { base: 'next' }),
      /^Nobody has approved commit/,
    ],
    [
      'an older head of it was approved',
      (w) => {
        w.pulls.all = [aPull({ head: MOVED })];
      },
      /^Nobody has approved commit `cdcdcdcd`/,
    ],
    [
      'another pull request with its head was approved',
      (w) => Object.assign(w.approvals.stored[0] ?? {}, { pr: 8 }),
      /^Nobody has approved commit/,
    ],
    [
      'it is closed',
      (w) => {
        w.pulls.all = [aPull({ open: false })];
      },
      /^#7 isn't an open pull request\./,
    ],
    [
      'it is not there',
      (w) => {
        w.pulls.all = [];
      },
      /^#7 isn't an open pull request\./,
    ],
    [
      'the installation cannot see it',
      (w) => {
        w.pulls.all = null;
      },
      /^#7 isn't an open pull request\./,
    ],
    [
      'it belongs to another repository',
      (w) => {
        w.pulls.all = [aPull({ repo: { ...aPull().repo, id: 43 } })];
      },
      /^#7 isn't an open pull request\./,
    ],
    [
      'its base is not the branch of the queue',
      (w) => {
        w.pulls.all = [aPull({ base: 'next' })];
      },
      /^#7 goes into `next`, not into `main`\./,
    ],
    [
      'the group that it is built on failed',
      (w) =>
        w.mergeGroups.stored.push({
          ...aGroup({ head: GROUP.baseSha, pr: 6 }),
          passed: false,
          pullHead: HEAD,
        }),
      /^#6, which this group is built on, may not merge\./,
    ],
  ];

  it.each(OBSTACLES)('may not merge if %s', async (_what, change, says) => {
    const w = approved();
    change(w);
    expect(await report(w)).toEqual({ passed: false });
    const shown = w.shown(GROUP.head);
    expect(shown).toMatchObject({ status: 'completed', conclusion: 'failure', title: '#7 may not merge' });
    expect(shown?.summary).toMatch(says);
    expect(w.mergeGroups.stored.at(-1)).toMatchObject({ ...GROUP, passed: false });
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).not.toContain('success');
  });

  it('may not merge if its ref names no pull request', async () => {
    const w = approved();
    expect(await report(w, aGroup({ pr: 0 }))).toEqual({ passed: false });
    expect(w.shown(GROUP.head)).toMatchObject({ conclusion: 'failure', detailsUrl: w.origins.publicUrl });
  });

  it('may not merge if only another organization approved its pull request', async () => {
    const w = approved();
    Object.assign(w.approvals.stored[0] ?? {}, { orgId: 10 });
    expect(await report(w)).toEqual({ passed: false });
  });

  it('may merge if the group it is built on may, and ignores groups of other repositories', async () => {
    const w = approved();
    w.mergeGroups.stored.push({ ...aGroup({ head: GROUP.baseSha, pr: 6 }), passed: true, pullHead: HEAD });
    expect(await report(w)).toEqual({ passed: true });
    const other = approved();
    other.mergeGroups.stored.push({
      ...aGroup({ head: GROUP.baseSha, pr: 6, repoId: 43 }),
      passed: false,
      pullHead: HEAD,
    });
    expect(await report(other)).toEqual({ passed: true });
  });

  describe('that is built on an unknown commit', () => {
    beforeEach(fakeTimers);
    afterEach(() => {
      jest.useRealTimers();
    });
    const built = () => {
      const w = approved();
      w.branches.tips.set('hello', 'aa'.repeat(20));
      return w;
    };
    const before = { ...aGroup({ head: GROUP.baseSha, pr: 6 }) };

    it('may merge if the commit is the tip of the branch', async () => {
      const w = built();
      w.branches.tips.set('hello', GROUP.baseSha);
      expect(await report(w)).toEqual({ passed: true });
    });

    it.each([true, false])(
      'waits a moment for the group of that commit, whose verdict decides: %p',
      async (passed) => {
        const w = built();
        const reported = patiently(report(w));
        await jest.advanceTimersByTimeAsync(1_000);
        expect(w.checkRuns.created).toEqual([]);
        await w.mergeGroups.save({ ...before, passed, pullHead: HEAD });
        expect(await reported).toEqual({ passed });
      },
    );

    it('may not merge if the commit stays unknown', async () => {
      const w = built();
      expect(await patiently(report(w))).toEqual({ passed: false });
      expect(w.shown(GROUP.head)?.summary).toMatch(
        /^The group is built on another group that OTP Guard doesn't know\./,
      );
    });

    it('fails if GitHub does not return the tip of the branch', async () => {
      const w = built();
      w.stage.fail('branches.tip', new AppError('githubUnavailable'));
      await expect(report(w)).rejects.toMatchObject({ code: 'githubUnavailable' });
      expect([w.mergeGroups.stored, w.checkRuns.created]).toEqual([[], []]);
    });
  });

  it('passes a failure on to every group that is built on it', async () => {
    const w = world();
    w.pulls.all = [aPull(), aPull({ number: 8, head: MOVED })];
    w.approvals.put(anApproval({ pr: 8, head: MOVED }));
    const second = aGroup({ head: 'e2'.repeat(20), baseSha: GROUP.head, pr: 8 });
    const third = aGroup({ head: 'e3'.repeat(20), baseSha: second.head, pr: 8 });
    expect([await report(w), await report(w, second), await report(w, third)]).toEqual([
      { passed: false },
      { passed: false },
      { passed: false },
    ]);
  });
});

describe('a merge queue’s group whose webhook is delivered again', () => {
  it('gets no second run', async () => {
    const w = approved();
    await report(w);
    expect(writes(w)).toEqual(['checkRuns.create', 'checkRuns.update']);
    await report(w);
    expect(writes(w)).toHaveLength(2);
  });

  it('still may not merge if its pull request is approved later, but a new group may', async () => {
    const w = world();
    expect(await report(w)).toEqual({ passed: false });
    w.approvals.put(anApproval());
    expect(await report(w)).toEqual({ passed: false });
    expect(writes(w)).toEqual(['checkRuns.create']);
    expect(await report(w, GROUP, { replaceAttempt: 1 })).toEqual({ passed: false });
    expect(writes(w)).toEqual(['checkRuns.create', 'checkRuns.create']);
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).toEqual(['failure', 'failure']);
    expect(w.shown(GROUP.head)?.summary).toMatch(/^#7 couldn't merge when this group was created\./);
    expect(w.mergeGroups.stored).toEqual([{ ...GROUP, passed: false, pullHead: HEAD }]);
    expect(await report(w, aGroup({ head: 'e2'.repeat(20) }))).toEqual({ passed: true });
  });

  it('may no longer merge if its pull request has another head', async () => {
    const w = approved();
    await report(w);
    w.pulls.all = [aPull({ head: MOVED })];
    w.approvals.put(anApproval({ head: MOVED }));
    expect(await report(w)).toEqual({ passed: false });
    expect(w.shown(GROUP.head)?.conclusion).toBe('failure');
    expect(w.shown(GROUP.head)?.summary).toMatch(
      /^#7 has a different commit than when this group was created\./,
    );
    expect(w.mergeGroups.stored).toEqual([{ ...GROUP, passed: false, pullHead: HEAD }]);
  });

  it('gets one new run with the same verdict after a requested re-run', async () => {
    const w = approved();
    await report(w);
    w.stage.calls.splice(0);
    const updated = watchUpdates(w.checkRuns);
    await report(w, GROUP, { replaceAttempt: 1 });
    expect(writes(w)).toEqual(['checkRuns.create', 'checkRuns.update']);
    expect(w.checkRuns.created).toHaveLength(2);
    expect(updated).toEqual([w.checkRuns.created[1]?.id]);
    expect(w.shown(GROUP.head)?.conclusion).toBe('success');
  });
});

describe('a merge queue’s group while GitHub or the record store does not answer', () => {
  it.each(['checkRunRecords.latest', 'pulls.get', 'approvals.forHead', 'mergeGroups.find'])(
    'fails without a trace of a success: %s',
    async (call) => {
      const w = approved();
      w.stage.fail(call, new AppError('githubUnavailable'));
      await expect(report(w)).rejects.toMatchObject({ code: 'githubUnavailable' });
      expect([w.mergeGroups.stored, w.checkRuns.created]).toEqual([[], []]);
      expect(await report(w)).toEqual({ passed: true });
    },
  );

  it.each([
    'mergeGroups.save',
    'checkRunRecords.claim',
    'checkRuns.create',
    'checkRunRecords.save',
    'checkRuns.update',
  ])('fails, and may merge with the next delivery: %s', async (call) => {
    for (const when of ['before', 'after'] as const) {
      const w = approved();
      w.stage.fail(call, new AppError('githubUnavailable'), { when });
      await expect(report(w)).rejects.toMatchObject({ code: 'githubUnavailable' });
      w.clock.pass(31_000);
      expect(await report(w)).toEqual({ passed: true });
      expect([call, when, w.checkRuns.created.length]).toEqual([call, when, 1]);
      expect(w.shown(GROUP.head)?.conclusion).toBe('success');
    }
  });
});
