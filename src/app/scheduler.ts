import { type MergeGroupDeps, retryMergeGroups } from '../approvals/merge-queue/merge-group.ts';
import { type SweepDeps, sweep } from '../approvals/reconcile/reconcile.ts';
import { type RetryPauses, retryUnreported } from '../approvals/reconcile/sync-open-pulls.ts';
import { WATCH_EVERY_MS, type WatchDeps, watchGreenHeads } from '../approvals/reconcile/watch-green-heads.ts';
import { retryWithdrawLost, type WithdrawLostDeps } from '../approvals/withdraw/withdraw-lost.ts';
import type { FailedSyncs, Rounds } from '../bot/ports.ts';
import {
  CHECK_REPOSITORIES_EVERY_MS,
  type CheckRepositoriesDeps,
  checkRepositories,
} from '../organizations/check-repositories.ts';
import { type SyncMembersDeps, syncAllMembers } from '../organizations/sync-members.ts';
import type { Log, LogEventName } from '../shared/log-events.ts';
import { createUnfinishedWork, inTime, isTooLate, oneAtATime } from '../shared/work.ts';

const RETRY_EVERY_MS = 15_000;
const RECONCILE_EVERY_MS = 5 * 60_000;
const DELETE_EXPIRED_EVERY_MS = 10 * 60_000;
const SYNC_MEMBERS_EVERY_MS = 60 * 60_000;
const SEND_NOTICES_EVERY_MS = 3_000;
const CHECK_LOG_EVERY_MS = 60_000;
/** Looking for pull requests to write about costs more than sending: it's done after so many rounds of that. */
const SENDS_A_LOOK = 5;
const DELIVER_HOOKS_EVERY_MS = 5_000;
/** A round of periodic work that takes longer is left, and the next one begins. */
const ROUND_MS = 30 * 60_000;
/** For those that may take long: each part of a reconciliation has a limit of its own. */
const LONG_ROUND_MS = 120 * 60_000;
/** Not at the start: a process that ends soon, or starts again and again, makes no backups. */
const BACK_UP_EVERY_MS = 10 * 60_000;
const ALONE: Rounds = { renew: async () => undefined, isHeld: () => true, renewEveryMs: 60_000 };

export type Scheduler = {
  /** Resolves when the first reconciliation is over, even if it failed, or if another process does them. */
  firstRound: Promise<void>;
  /** Begins a reconciliation soon, for webhooks that were dropped. Many calls make few rounds. */
  reconcileSoon(): void;
  /** Begins a round of repository checks, unless there was one in this minute. */
  checkRepositoriesSoon(): void;
  /** Begins nothing more. What is under way ends at its next pause. */
  stop(): void;
  /** Resolves when nothing is under way. */
  over(): Promise<void>;
};

type SchedulerDeps = SweepDeps &
  MergeGroupDeps &
  WithdrawLostDeps &
  WatchDeps &
  CheckRepositoriesDeps &
  SyncMembersDeps & {
    failedSyncs: FailedSyncs;
    deleteExpired(): Promise<void>;
    /** Compares a part of the organizations' logs. */
    logChecks: { step(): Promise<void> };
    sendNotices(isStopping: () => boolean): Promise<void>;
    /** Queues e-mails about pull requests that wait. */
    queuePullNotices(): Promise<void>;
    deliverOutgoingWebhooks(): Promise<void>;
    /** Makes the backup of this day unless it's there. */
    backUp(): Promise<void>;
    log: Log;
    /** Called for each round that didn't end in time. */
    onOverdue(round: string): void;
    /** Given if other processes use this record store: one of all does the rounds. */
    rounds?: Rounds | undefined;
    /** How often unreported approvals and failed syncs are retried. */
    retryEveryMs?: number;
    /** How often the repositories with green heads are looked at. */
    watchEveryMs?: number;
    /** How often every open pull request is compared. */
    reconcileEveryMs?: number;
    /** How often notices are sent. */
    sendEveryMs?: number;
    /** How often outgoing webhooks are delivered. */
    deliverEveryMs?: number;
    /** How often a part of the log is compared. */
    checkLogEveryMs?: number;
  };

/** Makes up for lost webhooks, outages and crashes, sends notices, and deletes what has expired. */
export function startScheduler(deps: SchedulerDeps): Scheduler {
  const { retryEveryMs = RETRY_EVERY_MS, sendEveryMs = SEND_NOTICES_EVERY_MS } = deps;
  const { checkLogEveryMs = CHECK_LOG_EVERY_MS, deliverEveryMs = DELIVER_HOOKS_EVERY_MS } = deps;
  const { watchEveryMs = WATCH_EVERY_MS, reconcileEveryMs = RECONCILE_EVERY_MS } = deps;
  let isStopped = false;
  const unfinished = createUnfinishedWork();
  const untilStopped: SchedulerDeps = {
    ...deps,
    listeningSince: deps.clock.now(),
    isStopping: () => isStopped,
    // While the process stops, failures are expected.
    onSyncFailed: (error, target) => !isStopped && deps.onSyncFailed(error, target),
  };
  const job = (event: LogEventName, message: string, work: () => Promise<unknown>, mostMs = ROUND_MS) => {
    const once = oneAtATime(async () => {
      try {
        await inTime(mostMs, work);
      } catch (error) {
        if (isTooLate(error)) deps.onOverdue(event.replace(/_failed$/, ''));
        else if (!isStopped) deps.log.warn({ event, err: error }, message);
      }
    });
    return () => {
      const round = once();
      unfinished.track(round);
      return round;
    };
  };

  const pauses: RetryPauses = new Map();
  const groupPauses: RetryPauses = new Map();
  const retry = job('retry_failed', 'retrying unreported approvals failed', async () => {
    await retryUnreported(untilStopped, pauses, retryEveryMs);
    await retryMergeGroups(untilStopped, groupPauses);
  });
  const withdrawLost = job('withdrawal_failed', 'withdrawing approvals of a lost authenticator failed', () =>
    retryWithdrawLost(untilStopped),
  );
  const deleteExpired = job('expiry_failed', 'deleting expired records failed', deps.deleteExpired);
  let round = Promise.resolve();
  const reconcileAll = job(
    'reconciliation_failed',
    'reconciliation failed',
    () => sweep(untilStopped),
    LONG_ROUND_MS,
  );
  const startRound = () => {
    round = reconcileAll();
    return round;
  };
  // A round that is already running may have read before the webhook was sent.
  const soon = createReconcileSoon(() => round.then(startRound));
  const watch = job('watch_failed', 'watching green heads failed', () =>
    watchGreenHeads(untilStopped, watchEveryMs),
  );
  const syncMembers = job('member_sync_failed', 'syncing members failed', () => syncAllMembers(untilStopped));
  const checkLog = job('log_check_failed', 'comparing the log failed', () => deps.logChecks.step());
  const checkAllRepositories = job('repository_check_failed', 'checking repositories failed', () =>
    checkRepositories(untilStopped),
  );
  const sendNotices = job('notices_failed', 'sending notices failed', () =>
    deps.sendNotices(() => isStopped),
  );
  const deliverOutgoingWebhooks = job(
    'hook_deliveries_failed',
    'delivering outgoing webhooks failed',
    deps.deliverOutgoingWebhooks,
  );

  const backUp = job('backup_failed', 'making the daily backup failed', deps.backUp, LONG_ROUND_MS);
  const queuePullNotices = job(
    'pull_notices_failed',
    'queueing e-mails about pull requests failed',
    deps.queuePullNotices,
  );

  // Only this process knows its failed syncs.
  const retryMine = job('retry_failed', 'retrying failed syncs failed', () => retryFailedSyncs(untilStopped));
  const { rounds = ALONE } = deps;
  const takeOver = async () => {
    const first = startRound();
    // Nothing that keeps a branch safe waits for these.
    void first.then(() => (isStopped ? undefined : checkAllRepositories()));
    void syncMembers();
    void retry();
    void withdrawLost();
    void deleteExpired();
    await first;
  };
  let wasHeld = false;
  const keepRounds = async () => {
    // While the record store doesn't answer, there's nothing to do.
    await rounds.renew().catch(() => undefined);
    const isNew = rounds.isHeld() && !wasHeld && !isStopped;
    wasHeld = rounds.isHeld();
    if (!isNew) return;
    if (deps.rounds)
      deps.log.info({ event: 'rounds_taken' }, 'of several processes, this one does the periodic work now');
    await takeOver();
  };
  const every = (ms: number, work: () => unknown) =>
    setInterval(() => (rounds.isHeld() ? work() : undefined), ms);

  const firstRound = keepRounds();
  const timers = [
    setInterval(retryMine, retryEveryMs),
    setInterval(keepRounds, rounds.renewEveryMs),
    every(retryEveryMs, retry),
    every(retryEveryMs, withdrawLost),
    every(reconcileEveryMs, startRound),
    every(watchEveryMs, watch),
    every(DELETE_EXPIRED_EVERY_MS, deleteExpired),
    every(SYNC_MEMBERS_EVERY_MS, syncMembers),
    every(sendEveryMs, sendNotices),
    every(SENDS_A_LOOK * sendEveryMs, queuePullNotices),
    every(checkLogEveryMs, checkLog),
    every(CHECK_REPOSITORIES_EVERY_MS, checkAllRepositories),
    every(deliverEveryMs, deliverOutgoingWebhooks),
    // Whose turn it is, is stored: not each process needs to have the folder.
    setInterval(backUp, BACK_UP_EVERY_MS),
  ];
  return {
    firstRound,
    reconcileSoon() {
      if (!isStopped) soon.request();
    },
    checkRepositoriesSoon() {
      if (!isStopped) void checkAllRepositories();
    },
    stop() {
      isStopped = true;
      soon.stop();
      timers.forEach(clearInterval);
    },
    over: unfinished.over,
  };
}

async function retryFailedSyncs({ failedSyncs, onSyncFailed }: SchedulerDeps): Promise<void> {
  // A copy: a sync that fails again is added again, and must wait for the next round.
  for (const [repository, sync] of [...failedSyncs]) {
    failedSyncs.delete(repository);
    await sync().catch((error: unknown) => {
      failedSyncs.set(repository, sync);
      onSyncFailed(error, { repository });
    });
  }
}

/** Long enough to gather a burst of dropped webhooks. */
const SOON_MS = 1_000;
/** Nobody signed what triggers these rounds, so they are rare enough for GitHub's limits. */
const PAUSE_MS = 30_000;

/** Asks for rounds that aren't planned. After each call, a round begins within `PAUSE_MS`. */
type ReconcileSoon = { request(): void; stop(): void };

function createReconcileSoon(reconcileNext: () => unknown): ReconcileSoon {
  let isWanted = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isWanted) return;
      isWanted = false;
      reconcileNext();
      wait(PAUSE_MS);
    }, ms);
  };
  return {
    request() {
      isWanted = true;
      if (!timer) wait(SOON_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
