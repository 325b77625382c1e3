import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createFirstRun, syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { fakeTimers, world } from './world.ts';

const AT = { repo: REPO, repoId: 42, head: HEAD };

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

it('creates one pending run, no matter how often and from where it is called', async () => {
  const w = world();
  const outcomes = await Promise.all([1, 2, 3].map(() => createFirstRun(w, AT, aPull())));
  expect(outcomes.sort()).toEqual([false, false, true]);
  expect(await createFirstRun(w, AT, aPull())).toBe(false);
  expect([w.checkRuns.created.length, w.shown(HEAD)?.status]).toEqual([1, 'in_progress']);
});

it('creates a pending run for a head that is approved already, which only the sync completes', async () => {
  const w = world();
  w.approvals.put(anApproval());
  expect(await createFirstRun(w, AT, aPull())).toBe(false);
  expect(w.shown(HEAD)?.status).toBe('in_progress');
  await syncCheckRun(w, AT);
  expect([w.checkRuns.created.length, w.shown(HEAD)?.conclusion]).toEqual([1, 'success']);
});

it.each(['approvals.historyOf', 'policies.inForce', 'checkRuns.create'] as const)(
  'leaves nothing that the next try has to wait for if %s fails',
  async (call) => {
    const w = world();
    w.stage.fail(call, 'storeUnavailable');
    expect(await codeOf(createFirstRun(w, AT, aPull()))).toBe('storeUnavailable');
    await syncCheckRun(w, AT);
    expect([w.checkRuns.created.length, w.shown(HEAD)?.status]).toEqual([1, 'in_progress']);
  },
);

it('gives its claim back if another repository has the name by now', async () => {
  const w = world();
  expect(await createFirstRun(w, AT, aPull({ repo: { ...aPull().repo, id: 43 } }))).toBe(false);
  expect(w.checkRunRecords.records).toMatchObject([
    { attempt: 1, checkRunId: 0, phase: 'failed', mayBeGreen: false },
  ]);
  expect(w.checkRuns.created).toEqual([]);
});
