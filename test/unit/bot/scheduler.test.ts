import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import { startScheduler } from '../../../src/app/scheduler.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import {
  anApproval,
  anInstallation,
  aPull,
  aRepository,
  fakeGitHub,
  fakeStores,
  HEAD,
} from '../../support/fakes.ts';
import { fakeTimers } from '../approvals/world.ts';

beforeEach(fakeTimers);
const running: ReturnType<typeof startScheduler>[] = [];
afterEach(() => {
  for (const scheduler of running.splice(0)) scheduler.stop();
  jest.useRealTimers();
});

type Deps = Parameters<typeof startScheduler>[0];

/** Starts rounds that end with the test. */
function start(
  deps: Omit<Deps, 'reconcile' | 'accounts' | 'deployments'> &
    Deps['reconcile'] &
    Deps['accounts'] &
    Deps['deployments'],
) {
  const scheduler = startScheduler({ ...deps, reconcile: deps, accounts: deps, deployments: deps });
  running.push(scheduler);
  return scheduler;
}

function world() {
  const stores = fakeStores();
  const lines: string[] = [];
  const expired: number[] = [];
  const failures: unknown[] = [];
  const overdue: string[] = [];
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
    onSyncFailed: (error: unknown) => void failures.push(error),
    onOverdue: (round: string) => void overdue.push(round),
    onRepaired: () => undefined,
    onForgedCheck: () => undefined,
    onSilence: () => undefined,
    deleteExpired: async () => void expired.push(1),
    logChecks: { step: async () => stores.stage.play('checkLog', () => undefined) },
    sendNotices: async () => stores.stage.play('sendNotices', () => undefined),
    queuePullNotices: async () => stores.stage.play('queuePullNotices', () => undefined),
    deliverOutgoingWebhooks: async () => undefined,
    backUp: async () => undefined,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  };
  deps.installations.all.push({ ...anInstallation(), repositories: [aRepository()] });
  deps.pulls.all = [aPull()];
  return { ...deps, failedSyncs: new Map(), lines, expired, failures, overdue };
}

const later = async (ms: number) => {
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
};

describe('the scheduler', () => {
  it('syncs members when it starts and every hour', async () => {
    const w = world();
    w.members.lists?.set(9, [{ githubId: 11, login: 'mona', role: 'admin' }]);
    const reads = () => w.stage.calls.filter((call) => call === 'members.list').length;
    start(w);
    await later(0);
    expect([reads(), w.memberships.stored.length]).toEqual([1, 1]);
    w.members.lists?.set(9, [{ githubId: 12, login: 'octocat', role: 'admin' }]);
    await later(60 * 60_000 - 1);
    expect(reads()).toBe(1);
    await later(1);
    expect(w.memberships.stored.map(({ login }) => login)).toEqual(['octocat']);
  });

  it('leaves the rounds to the process that has them, and begins them when it gets them', async () => {
    const w = world();
    let isHeld = false;
    let retried = 0;
    w.failedSyncs.set('octo-org/hello', async () => {
      retried += 1;
    });
    const rounds = { renew: async () => undefined, isHeld: () => isHeld, renewEveryMs: 3_000 };
    const scheduler = start({ ...w, rounds });
    await scheduler.firstRound;
    await later(10 * 60_000);
    expect([w.stage.calls, retried, w.expired.length]).toEqual([[], 1, 0]);
    isHeld = true;
    await later(3_000);
    expect([w.checkRuns.shown(HEAD)?.content.status, w.expired.length]).toEqual(['in_progress', 1]);
    isHeld = false;
    await later(10 * 60_000);
    expect(w.expired.length).toBe(1);
  });

  it('looks at repositories with green heads every half minute', async () => {
    const w = world();
    w.approvals.put(anApproval());
    start(w);
    await later(0);
    w.pulls.all = [aPull({ base: 'release' })];
    w.clock.pass(30_000);
    await later(30_000);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('in_progress');
  });

  it('sends notices every three seconds, one round at a time unless one never ends, and says which', async () => {
    const w = world();
    let sent = 0;
    let finish: () => void = () => undefined;
    start({
      ...w,
      sendNotices: () => {
        sent += 1;
        return new Promise<void>((done) => {
          finish = done;
        });
      },
    });
    await later(3_000);
    expect(sent).toBe(1);
    await later(30_000);
    expect(sent).toBe(1);
    finish();
    await later(3_000);
    expect(sent).toBe(2);
    await later(30 * 60_000 - 3_000);
    expect([sent, w.overdue]).toEqual([2, []]);
    await later(3_000);
    expect([sent, w.overdue]).toEqual([3, ['notices']]);
  });

  it('logs a failure and continues', async () => {
    const w = world();
    w.stage.fail('installations.list', 'githubUnavailable');
    w.stage.fail('approvals.unreportedHeads', 'storeUnavailable');
    start(w);
    await later(0);
    expect(w.lines).toHaveLength(2);
    w.approvals.put(anApproval());
    await later(15_000);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('completed');
  });

  it('retries merge groups in the same round if the retry of approvals fails', async () => {
    const w = world();
    w.stage.fail('approvals.unreportedHeads', 'storeUnavailable');
    start(w);
    await later(0);
    expect(w.stage.calls).toContain('mergeGroups.unfinished');
  });

  it('retries a failed sync once per round until it succeeds', async () => {
    const w = world();
    start(w);
    await later(0);
    let reads = 0;
    let isDown = true;
    w.pulls.listOpen = async () => {
      reads += 1;
      if (isDown) throw new AppError('githubUnavailable');
      return [aPull()];
    };
    w.failedSyncs.set(
      'octo-org/hello',
      async () => void (await w.pulls.listOpen({ installation: 5, owner: 'octo-org', name: 'hello' })),
    );
    await later(15_000);
    expect([reads, w.failedSyncs.size]).toEqual([1, 1]);
    await later(15_000);
    expect([reads, w.failedSyncs.size]).toEqual([2, 1]);
    isDown = false;
    await later(15_000);
    expect(w.failedSyncs.size).toBe(0);
  });

  it('reconciles a second after webhooks were dropped, and then at most every half minute', async () => {
    const w = world();
    const scheduler = start(w);
    await later(0);
    w.stage.calls.splice(0);
    const rounds = () => w.stage.calls.filter((call) => call === 'reconcileReports.save').length;
    for (let webhook = 0; webhook < 1_000; webhook += 1) scheduler.reconcileSoon();
    await later(1_000);
    expect(rounds()).toBe(1);
    scheduler.reconcileSoon();
    await later(29_999);
    expect(rounds()).toBe(1);
    await later(1);
    expect(rounds()).toBe(2);
    await later(60_000);
    expect(rounds()).toBe(2);
    scheduler.reconcileSoon();
    await later(1_000);
    expect(rounds()).toBe(3);
  });

  it('reconciles again after a running round, which may have read before the dropped webhook was sent', async () => {
    const w = world();
    const scheduler = start(w);
    await later(0);
    const { list } = w.installations;
    let lists = 0;
    let answer: () => void = () => undefined;
    w.installations.list = async () => {
      lists += 1;
      if (lists === 1) await new Promise<void>((done) => (answer = done));
      return list.call(w.installations);
    };
    scheduler.reconcileSoon();
    await later(1_000);
    scheduler.reconcileSoon();
    await later(30_000);
    expect(lists).toBe(1);
    answer();
    await later(0);
    expect(lists).toBe(2);
  });

  it('leaves an installation that doesn’t get on, and compares the others in the same and in later rounds', async () => {
    const w = world();
    w.installations.all.unshift({ ...anInstallation({ id: 6 }), repositories: [aRepository()] });
    const { repositories } = w.installations;
    w.installations.repositories = (id) =>
      id === 6 ? new Promise(() => undefined) : repositories.call(w.installations, id);
    const rounds = () => w.stage.calls.filter((call) => call === 'reconcileReports.save').length;
    start(w);
    await later(10 * 60_000 - 1);
    expect([rounds(), w.checkRuns.shown(HEAD)]).toEqual([0, undefined]);
    await later(1);
    expect([rounds(), w.checkRuns.shown(HEAD)?.content.status]).toEqual([1, 'in_progress']);
    expect(w.failures).toEqual([expect.objectContaining({ code: 'tookTooLong' })]);
    await later(15 * 60_000);
    expect(rounds()).toBe(2);
  });

  it('does nothing after it was stopped', async () => {
    const w = world();
    const scheduler = start(w);
    await later(0);
    scheduler.reconcileSoon();
    scheduler.stop();
    scheduler.reconcileSoon();
    w.stage.calls.splice(0);
    await later(60 * 60_000);
    expect([w.stage.calls, w.expired.length, jest.getTimerCount()]).toEqual([[], 1, 0]);
  });
});
