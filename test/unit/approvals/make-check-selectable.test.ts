import { describe, expect, it } from '@jest/globals';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { makeCheckSelectable } from '../../../src/approvals/check-run/make-check-selectable.ts';
import { anApproval, aPull, aRepository } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const TIP = '71'.repeat(20);
const LATER = '72'.repeat(20);
const DAY = 24 * 60 * 60 * 1000;
const REPOSITORY = { ...aRepository(), installation: 5 };
const HEAD_REF = { repo: { installation: 5, owner: 'octo-org', name: 'hello' }, repoId: 42, head: TIP };

/** A repository without an open pull request, whose default branch is at `TIP`. */
function quiet(): World {
  const w = world();
  w.pulls.all = [];
  w.branches.tips.set('hello', TIP);
  return w;
}

describe('the run that makes the check selectable', () => {
  it('is a completed run on the tip of the default branch', async () => {
    const w = quiet();
    await makeCheckSelectable(w, REPOSITORY);
    expect(w.checkRuns.created).toEqual([
      {
        id: expect.any(Number),
        head: TIP,
        content: {
          status: 'completed',
          conclusion: 'cancelled',
          detailsUrl: 'https://guard.example.org',
          title: 'OTP Guard is installed',
          summary: expect.stringContaining('Pull requests get this check from now on.'),
        },
      },
    ]);
  });

  it('is on a merge into the default branch if GitHub made no check suite for its tip', async () => {
    const w = quiet();
    w.branches.tips.clear();
    w.pulls.merges.set('hello', LATER);
    await makeCheckSelectable(w, REPOSITORY);
    expect(w.checkRuns.created).toMatchObject([{ head: LATER, content: { conclusion: 'cancelled' } }]);
  });

  it('is created on the tip that the caller knows, without a request for it', async () => {
    const w = quiet();
    await makeCheckSelectable(w, REPOSITORY, LATER);
    expect([w.checkRuns.created.map(({ head }) => head), w.count('branches.tip')]).toEqual([[LATER], 0]);
  });

  it.each<[string, (w: World) => void]>([
    ['a pull request is open', (w) => (w.pulls.all = [aPull()])],
    ['the installation cannot see the repository', (w) => (w.pulls.all = null)],
    ['neither the tip nor a merge is known', (w) => w.branches.tips.clear()],
  ])('is left out if %s', async (_what, change) => {
    const w = quiet();
    change(w);
    await makeCheckSelectable(w, REPOSITORY);
    expect([w.checkRuns.created, w.quota.taken]).toEqual([[], []]);
  });

  it('is created once in six days, even if the branch moves', async () => {
    const w = quiet();
    await makeCheckSelectable(w, REPOSITORY);
    w.clock.pass(6 * DAY - 1);
    await makeCheckSelectable(w, REPOSITORY, LATER);
    expect(w.checkRuns.created).toHaveLength(1);
    w.clock.pass(1);
    await makeCheckSelectable(w, REPOSITORY, LATER);
    expect(w.checkRuns.created.map(({ head }) => head)).toEqual([TIP, LATER]);
  });

  it('is not created on a head that already has a run', async () => {
    const w = quiet();
    w.approvals.put(anApproval({ head: TIP }));
    w.pulls.all = [aPull({ head: TIP })];
    await syncCheckRun(w, HEAD_REF);
    w.pulls.all = [];
    await makeCheckSelectable(w, REPOSITORY);
    w.clock.pass(7 * DAY);
    await makeCheckSelectable(w, REPOSITORY);
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).toEqual(['success']);
    expect(w.quota.taken).toEqual([]);
  });

  it('is replaced by a pending run, which can pass, if a pull request has that head', async () => {
    const w = quiet();
    await makeCheckSelectable(w, REPOSITORY);
    w.pulls.all = [aPull({ head: TIP })];
    await syncCheckRun(w, HEAD_REF);
    expect(w.shown(TIP)?.status).toBe('in_progress');
    w.approvals.put(anApproval({ head: TIP }));
    await syncCheckRun(w, HEAD_REF);
    expect(w.shown(TIP)).toMatchObject({ status: 'completed', conclusion: 'success' });
  });

  it.each(['checkRuns.create', 'checkRunRecords.claim'])(
    'is created the next time if this failed: %s',
    async (call) => {
      const w = quiet();
      w.stage.fail(call, 'githubUnavailable');
      await makeCheckSelectable(w, REPOSITORY).catch(() => undefined);
      w.clock.pass(60 * 60_000);
      await makeCheckSelectable(w, REPOSITORY, LATER);
      expect(w.checkRuns.created.map(({ head }) => head)).toEqual([LATER]);
    },
  );
});
