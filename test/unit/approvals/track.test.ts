import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import { trackAll, trackInstallation } from '../../../src/approvals/track.ts';
import { anApproval, anInstallation, aPull, HEAD } from '../../support/fakes.ts';
import { world } from './world.ts';

const OTHER = 'cd'.repeat(20);
const outage = () => new AppError('githubUnavailable');

describe('covering what happened while we were away', () => {
  it('records each organization and gives each open pull request its run', async () => {
    const w = world();
    await trackAll(w);
    expect(w.organizations.stored).toMatchObject([{ orgId: 9, name: 'octo-org' }]);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([HEAD]);
    expect(w.faults).toEqual([]);
  });

  it('goes on where a repository, a head or an installation cannot be seen to, and tells of it', async () => {
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

  it('writes down what waits, and forgets what is not open or not to be seen any more', async () => {
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

  it('forgets nothing where a repository cannot be seen to', async () => {
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

  it('gives each head its run also where nothing can be written down of it', async () => {
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

describe('what was put right', () => {
  it('is told: a head that had no run', async () => {
    const w = world();
    await trackAll(w);
    expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
  });

  it('is told: a run that was not what it should be', async () => {
    const w = world();
    await trackAll(w);
    w.repaired.splice(0);
    w.approvals.put(anApproval());
    await trackAll(w);
    expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
    expect(w.shown(HEAD)?.status).toBe('completed');
  });

  it('is nothing where all was right: no write, and no question about the run', async () => {
    const w = world();
    await trackAll(w);
    w.repaired.splice(0);
    w.stage.calls.splice(0);
    await trackAll(w);
    expect(w.repaired).toEqual([]);
    expect(w.stage.calls.filter((call) => call.startsWith('checkRuns.'))).toEqual([]);
  });
});

describe('a head that GitHub has a run for, and we forgot', () => {
  it('keeps its run where it says what is true', async () => {
    const w = world();
    await trackAll(w);
    w.runs.records.splice(0);
    await trackAll(w);
    expect(w.checkRuns.made).toHaveLength(1);
    expect(w.runs.records).toMatchObject([{ checkRunId: w.checkRuns.made[0]?.id }]);
  });

  it('waits again in front of a success that we know no approval of', async () => {
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
