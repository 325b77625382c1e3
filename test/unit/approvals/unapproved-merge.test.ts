import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import { trackAll } from '../../../src/approvals/track.ts';
import { alarmIfUnapproved } from '../../../src/approvals/unapproved-merge.ts';
import { anApproval, aPull, HEAD } from '../../support/fakes.ts';
import { world } from './world.ts';

const MERGED = aPull({ open: false, merged: true, mergedBy: { id: 12, login: 'octocat' } });
const ALARM = {
  orgId: 9,
  repoId: 42,
  repoName: 'hello',
  pr: 7,
  head: HEAD,
  by: { id: 12, login: 'octocat' },
};

describe('a pull request', () => {
  it('raises one alarm if nobody had approved its head', async () => {
    const w = world();
    await alarmIfUnapproved(w, MERGED);
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
  });

  it('raises an alarm without a name if GitHub does not say who merged it', async () => {
    const w = world();
    await alarmIfUnapproved(w, { ...MERGED, mergedBy: null });
    expect(w.alarms.raised).toEqual([{ ...ALARM, by: null }]);
  });

  it.each<[string, Partial<Parameters<typeof anApproval>[0]>]>([
    ['another head', { head: 'cd'.repeat(20) }],
    ['another base branch', { base: 'next' }],
    ['another pull request with the same head', { pr: 8 }],
    ['another repository', { repoId: 43 }],
  ])('raises an alarm if only %s was approved', async (_what, change) => {
    const w = world();
    w.approvals.put(anApproval(change));
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
  });

  it('raises the alarm where only another organization had approved it', async () => {
    const w = world();
    w.approvals.put(anApproval({ orgId: 10 }));
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
  });

  it('raises no alarm if its head was approved for its base branch', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([]);
  });

  it.each<[string, PullRequest]>([
    ['closed without a merge', aPull({ open: false })],
    ['open', aPull()],
  ])('raises no alarm if it is %s', async (_what, pull) => {
    const w = world();
    await alarmIfUnapproved(w, pull);
    expect(w.stage.calls).toEqual([]);
  });
});

describe('a merge whose webhook was lost', () => {
  const lost = async (after: PullRequest) => {
    const w = world();
    await trackAll(w);
    await trackAll(w);
    expect(w.openPulls.noted).toHaveLength(1);
    w.pulls.all = [after];
    await trackAll(w);
    return w;
  };

  it('is found when the pull request is not in the list of open ones any more', async () => {
    const w = await lost(MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
    await trackAll(w);
    expect(w.count('pulls.get')).toBe(1);
  });

  it('is none if the pull request was only closed', async () => {
    expect((await lost(aPull({ open: false }))).alarms.raised).toEqual([]);
  });

  it('is none if the pull request does not exist any more', async () => {
    expect((await lost(aPull({ number: 8 }))).alarms.raised).toEqual([]);
  });

  it.each(['pulls.get', 'approvals.ofHead', 'alarms.raise'])(
    'is found by the next round if this fails in the first: %s',
    async (call) => {
      const w = world();
      await trackAll(w);
      await trackAll(w);
      w.pulls.all = [MERGED];
      w.stage.fail(call, new AppError('githubUnavailable'));
      await trackAll(w);
      await trackAll(w);
      expect(w.alarms.raised).toEqual([ALARM]);
    },
  );
});
