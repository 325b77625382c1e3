import { describe, expect, it } from '@jest/globals';
import { syncAllOpenPulls, syncInstallation } from '../../../src/approvals/reconcile/sync-open-pulls.ts';
import { anInstallation, anOpenPull, aPull, HEAD } from '../../support/fakes.ts';
import { world } from './world.ts';

const OTHER = 'cd'.repeat(20);
describe('syncing all open pull requests', () => {
  it('saves each organization and creates a check run for each open pull request', async () => {
    const w = world();
    await syncAllOpenPulls(w);
    expect(w.organizations.stored).toMatchObject([{ orgId: 9, name: 'octo-org' }]);
    expect([w.checkRuns.created.map(({ head }) => head), w.faults]).toEqual([[HEAD], []]);
  });

  it('continues if a repository, a head or an installation fails, and logs it', async () => {
    const w = world();
    const inWorld = aPull({ number: 1, head: OTHER, repo: { ...aPull().repo, id: 43, name: 'world' } });
    w.pulls.all = [aPull(), inWorld];
    w.stage.fail('pullRequests.listOpen', 'githubUnavailable');
    await syncAllOpenPulls(w);
    expect(w.faults).toEqual([{ repository: 'octo-org/hello' }]);
    expect(w.checkRuns.created.map(({ head }) => head)).toEqual([OTHER]);

    const second = world();
    second.stage.fail('checkRuns.create', 'githubUnavailable');
    await syncAllOpenPulls(second);
    expect(second.faults).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);

    const third = world();
    third.stage.fail('organizations.save', 'githubUnavailable');
    await syncAllOpenPulls(third);
    expect(third.faults).toEqual([{ repository: 'octo-org/*' }]);
  });

  it('saves waiting pull requests, and removes those that are closed or no longer visible', async () => {
    const w = world();
    const org = await w.organizations.save(anInstallation());
    const closed = anOpenPull({ pr: 3 });
    await w.openPulls.save(9, [closed, { ...closed, repoId: 99 }], w.clock.now());
    await syncAllOpenPulls(w);
    expect(w.openPulls.saved).toMatchObject([
      { orgId: 9, repoId: 42, repoName: 'hello', pr: 7, title: 'A change', author: 'mona', approved: false },
    ]);
    expect((await w.openPulls.list(org.id, { most: 10 })).total).toBe(1);
  });

  it('removes nothing of a repository that cannot be read', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    await syncAllOpenPulls(w);
    const before = [...w.openPulls.saved];
    expect(before).toHaveLength(1);
    w.stage.fail('pullRequests.listOpen', 'githubUnavailable', { times: 2 });
    await syncAllOpenPulls(w);
    w.pulls.all = null;
    await syncAllOpenPulls(w);
    expect(w.openPulls.saved).toEqual(before);
  });

  it('creates each head’s check run even if the open pull requests cannot be saved', async () => {
    const w = world();
    w.stage.fail('openPulls.missingFrom', 'githubUnavailable', { times: 2 });
    await syncAllOpenPulls(w);
    expect([w.checkRuns.created.length, w.faults.length]).toEqual([1, 2]);
  });

  it('sends no requests for a suspended installation', async () => {
    const w = world();
    await syncInstallation(w, anInstallation({ suspended: true }));
    expect(w.stage.calls).toEqual(['organizations.save']);
  });
});

describe('a head whose run is missing in the record store', () => {
  it('keeps its run if that is right', async () => {
    const w = world();
    await syncAllOpenPulls(w);
    w.checkRunRecords.records.splice(0);
    await syncAllOpenPulls(w);
    expect(w.checkRuns.created).toHaveLength(1);
    expect(w.checkRunRecords.records).toMatchObject([{ checkRunId: w.checkRuns.created[0]?.id }]);
  });
});

describe('syncing a repository', () => {
  it('keeps an open pull request that GitHub’s list leaves out, because the list can lag', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    w.pulls.all = [aPull(), aPull({ number: 8, head: OTHER })];
    await syncAllOpenPulls(w);
    w.pulls.listOpen = async () => [aPull()];
    await syncAllOpenPulls(w);
    expect(w.openPulls.saved.map(({ pr }) => pr)).toEqual([7, 8]);
  });

  it('starts no further repository while the process stops', async () => {
    const w = world();
    await syncAllOpenPulls({ ...w, isStopping: () => true });
    expect([w.count('pullRequests.listOpen'), w.faults]).toEqual([0, []]);
  });
});
