import { describe, expect, it } from '@jest/globals';
import { reconcile } from '../../../src/approvals/reconcile/reconcile.ts';
import { retryUnreported } from '../../../src/approvals/reconcile/retry-unreported.ts';
import { syncInstallation } from '../../../src/approvals/reconcile/sync-installation.ts';
import type { RetryPauses } from '../../../src/approvals/retry-heads.ts';
import type { RepositoryRef } from '../../../src/organizations/ports.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { anApproval, anInstallation, anOpenPull, aPull, HEAD } from '../../support/fakes.ts';
import { OTHER, type World, world } from './world.ts';

describe('syncing all open pull requests', () => {
  it('saves waiting pull requests, and removes closed or invisible ones', async () => {
    const w = world();
    const org = await w.organizations.save(anInstallation());
    const closed = anOpenPull({ pr: 3 });
    await w.openPulls.save(9, [closed, { ...closed, repoId: 99 }], w.clock.now());
    await reconcile(w);
    expect(w.openPulls.saved).toMatchObject([
      { orgId: 9, repoId: 42, repoName: 'hello', pr: 7, title: 'A change', author: 'mona', approved: false },
    ]);
    expect((await w.openPulls.list(org.id, { most: 10 })).total).toBe(1);
  });

  it('removes nothing of a repository that cannot be read', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    await reconcile(w);
    const before = [...w.openPulls.saved];
    expect(before).toHaveLength(1);
    for (const call of ['openHeads.read', 'pullRequests.listOpen'])
      w.stage.fail(call, 'githubUnavailable', { times: 2 });
    await reconcile(w);
    w.pulls.all = null;
    await reconcile(w);
    expect(w.openPulls.saved).toEqual(before);
  });

  it('creates each head’s check run even if the open pull requests cannot be saved', async () => {
    const w = world();
    w.stage.fail('openPulls.save', 'storeUnavailable');
    await reconcile(w);
    expect([w.checkRuns.created.length, w.faults]).toEqual([1, []]);
  });

  it('sends no requests for a suspended installation', async () => {
    const w = world();
    await syncInstallation(w, anInstallation({ suspended: true }));
    expect(w.stage.calls).toEqual(['organizations.save']);
  });
});

describe('syncing a repository', () => {
  it('keeps an open pull request that GitHub’s list leaves out, because the list can lag', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    w.pulls.all = [aPull(), aPull({ number: 8, head: OTHER })];
    await reconcile(w);
    const { read } = w.openHeads;
    w.openHeads.read = async (repo) => {
      const shown = await read.call(w.openHeads, repo);
      return shown && { ...shown, pulls: shown.pulls.filter(({ number }) => number === 7) };
    };
    await reconcile(w);
    expect(w.openPulls.saved.map(({ pr }) => pr)).toEqual([7, 8]);
  });

  it('starts no further repository while the process stops', async () => {
    const w = world();
    await reconcile({ ...w, isStopping: () => true });
    expect([w.count('openHeads.read'), w.faults]).toEqual([0, []]);
  });
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Two approved heads that GitHub doesn't show yet. */
function owing(): World & { pauses: RetryPauses } {
  const w = world();
  w.pulls.all = [aPull(), aPull({ number: 8, head: OTHER })];
  w.approvals.put(anApproval());
  w.approvals.put(anApproval({ pr: 8, head: OTHER }));
  return { ...w, pauses: new Map() };
}

/** Makes every read of a head's approvals fail. */
function failFor(w: World, head: string): { isDown: boolean } {
  const state = { isDown: true };
  const asked = w.approvals.ofHead.bind(w.approvals);
  w.approvals.ofHead = async (repoId, of) => {
    if (of === head && state.isDown) throw new AppError('githubUnavailable');
    return asked(repoId, of);
  };
  return state;
}

const reported = (w: World) => w.approvals.stored.map((approval) => approval.reported);

describe('retrying unreported approvals', () => {
  it.each([60 * MINUTE, -60 * MINUTE])(
    'tries in time after the clock was set by %d ms and back',
    async (ms) => {
      const w = owing();
      const fault = failFor(w, HEAD);
      w.clock.set(ms);
      await retryUnreported(w, w.pauses);
      w.clock.set(-ms);
      fault.isDown = false;
      await retryUnreported(w, w.pauses);
      expect(w.shown(HEAD)?.status).not.toBe('completed');
      w.clock.pass(15 * SECOND);
      await retryUnreported(w, w.pauses);
      expect(w.shown(HEAD)?.status).toBe('completed');
    },
  );

  it('completes the check run of each, and sends no requests after that', async () => {
    const w = owing();
    await retryUnreported(w, w.pauses);
    expect([w.shown(HEAD)?.status, w.shown(OTHER)?.status]).toEqual(['completed', 'completed']);
    w.stage.calls.splice(0);
    await retryUnreported(w, w.pauses);
    expect([w.stage.calls, w.pauses.size]).toEqual([['approvals.unreportedHeads'], 0]);
  });

  it('finds the repository by its id after a rename, and by its owner’s id after a new installation', async () => {
    const w = owing();
    const asked: RepositoryRef[] = [];
    const { listOpen } = w.pulls;
    w.pulls.listOpen = (repo) => {
      asked.push(repo);
      return listOpen.call(w.pulls, repo);
    };
    await w.organizations.save(anInstallation({ id: 6 }));
    await retryUnreported(w, w.pauses);
    expect(asked[0]).toEqual({ installation: 6, owner: 'octo-org', name: 'hello' });
    w.approvals.put(anApproval({ login: 'octocat' }));
    w.pulls.all = [aPull({ repo: { ...aPull().repo, name: 'renamed' } })];
    for (const saved of w.openPulls.saved) saved.repoName = 'renamed';
    w.clock.pass(15 * SECOND);
    await retryUnreported(w, w.pauses);
    expect(asked.at(-1)).toMatchObject({ installation: 6, owner: 'octo-org', name: 'renamed' });
    expect(reported(w)).toEqual([true, true, true]);
  });

  it('continues with the next head if one fails, and retries that one', async () => {
    const w = owing();
    w.stage.fail('checkRuns.create', 'githubUnavailable');
    await retryUnreported(w, w.pauses);
    expect([w.faults, reported(w)]).toEqual([[{ repository: 'octo-org/hello', head: HEAD }], [false, true]]);
    w.clock.pass(15 * SECOND);
    await retryUnreported(w, w.pauses);
    expect(reported(w)).toEqual([true, true]);
  });

  it('continues with the next head if the record store fails for one', async () => {
    const w = owing();
    w.stage.fail('openPulls.repositories', 'storeUnavailable');
    await expect(retryUnreported(w, w.pauses)).rejects.toMatchObject({ code: 'storeUnavailable' });
    expect(reported(w)).toEqual([false, true]);
  });

  it('retries a head that keeps failing after pauses that grow from 15 seconds to 15 minutes', async () => {
    const w = owing();
    failFor(w, HEAD);
    const tries: number[] = [];
    for (let second = 0; second <= 75 * 60; second += 15) {
      const before = w.faults.length;
      await retryUnreported(w, w.pauses);
      if (w.faults.length > before) tries.push(second);
      w.clock.pass(15 * SECOND);
    }
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('forgets the pause of a head whose approvals were reported', async () => {
    const w = owing();
    const fault = failFor(w, HEAD);
    for (let round = 0; round < 20; round += 1) {
      await retryUnreported(w, w.pauses);
      w.clock.pass(MINUTE);
    }
    expect([...w.pauses.keys()]).toEqual([`42:${HEAD}:`]);
    fault.isDown = false;
    w.clock.pass(15 * MINUTE);
    await retryUnreported(w, w.pauses);
    await retryUnreported(w, w.pauses);
    expect(w.pauses.size).toBe(0);
    w.approvals.put(anApproval({ login: 'octocat' }));
    await retryUnreported(w, w.pauses);
    expect(reported(w)).toEqual([true, true, true]);
  });
});
