import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import { trackAll, trackInstallation } from '../../../src/approvals/track.ts';
import { anApproval, anInstallation, aPull, HEAD } from '../../support/fakes.ts';
import { world } from './world.ts';

const OTHER = 'cd'.repeat(20);
const outage = () => new AppError('githubUnavailable');

describe('covering all open pull requests', () => {
  it('stores each organization and gives each open pull request a check run', async () => {
    const w = world();
    await trackAll(w);
    expect(w.organizations.stored).toMatchObject([{ orgId: 9, name: 'octo-org' }]);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([HEAD]);
    expect(w.faults).toEqual([]);
  });

  it('goes on if a repository, a head or an installation fails, and logs it', async () => {
    const w = world();
    const inWorld = aPull({ number: 1, head: OTHER, repo: { ...aPull().repo, id: 43, name: 'world' } });
    w.pulls.all = [aPull(), inWorld];
    w.stage.fail('pulls.listOpen', outage());
    await trackAll(w);
    expect(w.faults).toEqual([{ repository: 'octo-org/hello' }]);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([OTHER]);

    const second = world();
    second.stage.fail('checkRuns.create', outage());
    await trackAll(second);
    expect(second.faults).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);

    const third = world();
    third.stage.fail('organizations.save', outage());
    await trackAll(third);
    expect(third.faults).toEqual([{ repository: 'octo-org/*' }]);
  });

  it('stores what waits, and forgets what is closed or cannot be seen any more', async () => {
    const w = world();
    const org = await w.organizations.save(anInstallation());
    const closed = { repoId: 42, repoName: 'hello', pr: 3, title: '', author: '', head: '', approved: false };
    await w.openPulls.note(9, [closed, { ...closed, repoId: 99 }], w.clock.now());
    await trackAll(w);
    expect(w.openPulls.noted).toMatchObject([
      { orgId: 9, repoId: 42, repoName: 'hello', pr: 7, title: 'A change', author: 'mona', approved: false },
    ]);
    expect((await w.openPulls.waiting(org.id, 10)).total).toBe(1);
  });

  it('forgets nothing of a repository that cannot be read', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    await trackAll(w);
    const before = [...w.openPulls.noted];
    expect(before).toHaveLength(1);
    w.stage.fail('pulls.listOpen', outage(), { times: 2 });
    await trackAll(w);
    w.pulls.all = null;
    await trackAll(w);
    expect(w.openPulls.noted).toEqual(before);
  });

  it('gives each head its check run even if the list of open pull requests cannot be stored', async () => {
    const w = world();
    w.stage.fail('openPulls.notAmong', outage(), { times: 2 });
    await trackAll(w);
    expect(w.checkRuns.made).toHaveLength(1);
    expect(w.faults).toHaveLength(2);
  });

  it('asks nothing of a suspended installation', async () => {
    const w = world();
    await trackInstallation(w, anInstallation({ suspended: true }));
    expect(w.stage.calls).toEqual(['organizations.save']);
  });
});

describe('a repair while all open pull requests are covered', () => {
  it('is reported for a head without a run', async () => {
    const w = world();
    await trackAll(w);
    expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
  });

  it('is reported for a run that was wrong', async () => {
    const w = world();
    await trackAll(w);
    w.repaired.splice(0);
    w.approvals.put(anApproval());
    await trackAll(w);
    expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
    expect(w.shown(HEAD)?.status).toBe('completed');
  });

  it('is not needed if all is right: no request about a run is sent', async () => {
    const w = world();
    await trackAll(w);
    w.repaired.splice(0);
    w.stage.calls.splice(0);
    await trackAll(w);
    expect(w.repaired).toEqual([]);
    expect(w.stage.calls.filter((call) => call.startsWith('checkRuns.'))).toEqual([]);
  });
});

describe('a head whose run is missing in the record store', () => {
  it('keeps its run if that is right', async () => {
    const w = world();
    await trackAll(w);
    w.runs.records.splice(0);
    await trackAll(w);
    expect(w.checkRuns.made).toHaveLength(1);
    expect(w.runs.records).toMatchObject([{ checkRunId: w.checkRuns.made[0]?.id }]);
  });

  it('waits again if GitHub shows a success without an approval', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await trackAll(w);
    w.runs.records.splice(0);
    w.approvals.stored.splice(0);
    await trackAll(w);
    expect(w.checkRuns.made.map(({ content }) => content.status)).toEqual(['completed', 'in_progress']);
    expect(w.faults).toEqual([]);
  });
});
