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

describe('a pull request that was merged', () => {
  it('raises the alarm where nobody had approved its head, once, however often it is looked at', async () => {
    const w = world();
    await alarmIfUnapproved(w, MERGED);
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
  });

  it('names nobody where GitHub does not say who did it', async () => {
    const w = world();
    await alarmIfUnapproved(w, { ...MERGED, mergedBy: null });
    expect(w.alarms.raised).toEqual([{ ...ALARM, by: null }]);
  });

  it.each<[string, Partial<Parameters<typeof anApproval>[0]>]>([
    ['another head', { head: 'cd'.repeat(20) }],
    ['another base branch', { base: 'next' }],
    ['another pull request with the same head', { pr: 8 }],
    ['another repository', { repoId: 43 }],
  ])('raises the alarm where only %s was approved', async (_what, change) => {
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

  it('raises none where its head was approved for its base branch', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await alarmIfUnapproved(w, MERGED);
    expect(w.alarms.raised).toEqual([]);
  });

  it.each<[string, PullRequest]>([
    ['closed without a merge', aPull({ open: false })],
    ['open', aPull()],
  ])('is the only one that raises it: not one that is %s', async (_what, pull) => {
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

  it('is found when the pull request drops out of the list of open ones', async () => {
    const w = await lost(MERGED);
    expect(w.alarms.raised).toEqual([ALARM]);
    await trackAll(w);
    expect(w.count('pulls.get')).toBe(1);
  });

  it('is none where it was only closed', async () => {
    expect((await lost(aPull({ open: false }))).alarms.raised).toEqual([]);
  });

  it('is none where it is not there any more', async () => {
    expect((await lost(aPull({ number: 8 }))).alarms.raised).toEqual([]);
  });

  it.each(['pulls.get', 'approvals.ofHead', 'alarms.raise'])(
    'is found by the next round, where this fails in the first: %s',
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
