import { endDenialsOfFormerMembers } from '../approvals/deny/end-denials.ts';
import { retryMergeGroups } from '../approvals/merge-queue/merge-group.ts';
import { type SweepDeps, sweep } from '../approvals/reconcile/reconcile.ts';
import { retryUnreported } from '../approvals/reconcile/retry-unreported.ts';
import {
  WATCH_EVERY_MS,
  type WatchGreenDeps,
  watchGreenHeads,
} from '../approvals/reconcile/watch-green-heads.ts';
import type { RetryPauses } from '../approvals/retry-heads.ts';
import { retryWithdrawLost, type WithdrawLostDeps } from '../approvals/withdraw/withdraw-lost.ts';
import type { FailedSyncs, Rounds } from '../bot/ports.ts';
import {
  type ReconcileDeploymentsDeps,
  reconcileDeployments,
} from '../deployments/review/reconcile-deployments.ts';
import { retryDeployments } from '../deployments/review/retry-deployments.ts';
import { type SyncAllMembersDeps, syncAllMembers } from '../organizations/sync-members.ts';
import {
  CHECK_REPOSITORIES_EVERY_MS,
  type CheckRepositoriesDeps,
  checkRepositories,
} from '../protection/check-repositories.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log, LogEventName } from '../shared/log-events.ts';
import {
  createUnfinishedWork,
  inTime,
  inTurn,
  isTooLate,
  oneAtATime,
  type SyncFailures,
} from '../shared/work.ts';

/** How often the rounds of each kind begin. Tests shorten these. */
const PERIODS = {
  /** Unreported approvals and failed syncs are retried. */
  retryEveryMs: 15_000,
  /** Every open pull request is compared. */
  reconcileEveryMs: 5 * 60_000,
  /** The repositories with green heads are read. */
  watchEveryMs: WATCH_EVERY_MS,
  /** Notices are sent. */
  sendEveryMs: 3_000,
  /** Repositories that are due are read. */
  checkRepositoriesEveryMs: CHECK_REPOSITORIES_EVERY_MS,
  /** Outgoing webhooks are delivered. */
  deliverEveryMs: 5_000,
  /** A part of the organizations' logs is compared. */
  checkLogEveryMs: 60_000,
};
export type Periods = typeof PERIODS;

const DELETE_EXPIRED_EVERY_MS = 10 * 60_000;
const SYNC_MEMBERS_EVERY_MS = 60 * 60_000;
/** Backups aren't made at the start: a process that ends soon, or starts again and again, makes none. */
const BACK_UP_EVERY_MS = 10 * 60_000;
/** Finding pull requests to write about costs more than sending, so it follows this many rounds of sending. */
const SENDS_A_QUEUEING = 5;
/** A round of periodic work that takes longer is left, and the next one begins. */
const ROUND_MS = 30 * 60_000;
/** Reconciliations and backups may take this long: each part of a reconciliation has a limit of its own. */
const LONG_ROUND_MS = 120 * 60_000;
/** A reconciliation after dropped webhooks begins within this time, which gathers a burst of them. */
const SOON_MS = 1_000;
/** Nobody signed the webhooks that trigger these rounds, so the rounds are rare enough for GitHub's limits. */
const PAUSE_MS = 30_000;
const ALONE: Rounds = { renew: async () => undefined, isHeld: () => true, renewEveryMs: 60_000 };

type SchedulerDeps = Partial<Periods> & {
  /** What the rounds about heads take. */
  reconcile: SweepDeps & WithdrawLostDeps & WatchGreenDeps;
  deployments: ReconcileDeploymentsDeps;
  /** What the rounds about organizations take. */
  accounts: CheckRepositoriesDeps & SyncAllMembersDeps;
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
  clock: Clock;
  log: Log;
  /** Called for each round that didn't end in time. */
  onOverdue(round: string): void;
  /** Given if other processes use this record store: one of all does the rounds. */
  rounds?: Rounds | undefined;
};

/** Makes up for lost webhooks, outages and crashes, sends notices, and deletes what has expired. */
export function startScheduler(deps: SchedulerDeps) {
  const { retryEveryMs, reconcileEveryMs, watchEveryMs, sendEveryMs, ...other } = { ...PERIODS, ...deps };
  const { checkRepositoriesEveryMs, deliverEveryMs, checkLogEveryMs, rounds = ALONE } = other;
  let isStopped = false;
  const unfinished = createUnfinishedWork();
  const isStopping = () => isStopped;
  // While the process stops, failures are expected.
  const onSyncFailed: SyncFailures['onSyncFailed'] = (error, target) =>
    !isStopped && deps.reconcile.onSyncFailed(error, target);
  const reconcile = { ...deps.reconcile, listeningSince: deps.clock.now(), isStopping, onSyncFailed };
  const accounts = { ...deps.accounts, isStopping, onSyncFailed };
  const deployments = { ...deps.deployments, isStopping, onSyncFailed };
  const job = (
    event: LogEventName,
    what: string,
    everyMs: number,
    work: () => Promise<unknown>,
    mostMs = ROUND_MS,
  ) => {
    const once = oneAtATime(async () => {
      try {
        await inTime(mostMs, work);
      } catch (error) {
        if (isTooLate(error)) deps.onOverdue(event.replace(/_failed$/, ''));
        else if (!isStopped) deps.log.warn({ event, err: error }, `${what} failed`);
      }
    });
    let latest = Promise.resolve();
    return {
      everyMs,
      /** Begins a round unless one is under way, and resolves when it has ended. */
      round() {
        latest = once();
        unfinished.track(latest);
        return latest;
      },
      /** Resolves when no round is under way. */
      over: () => latest,
    };
  };

  const pauses: RetryPauses = new Map();
  const groupPauses: RetryPauses = new Map();
  const deploymentPauses: RetryPauses = new Map();
  /** The jobs of one of all processes. */
  const jobs = {
    reconcile: job(
      'reconciliation_failed',
      'reconciliation',
      reconcileEveryMs,
      () => sweep(reconcile),
      LONG_ROUND_MS,
    ),
    reconcileDeployments: job('reconciliation_failed', 'reconciling deployments', reconcileEveryMs, () =>
      reconcileDeployments(deployments),
    ),
    retry: job('retry_failed', 'retrying unreported approvals', retryEveryMs, async () => {
      const heads = () => retryUnreported(reconcile, pauses, retryEveryMs);
      const groups = () => retryMergeGroups(reconcile, groupPauses);
      const waiting = () => retryDeployments(deployments, deploymentPauses, retryEveryMs);
      await inTurn([heads, groups, waiting], (work) => work());
    }),
    watch: job('watch_failed', 'watching green heads', watchEveryMs, () =>
      watchGreenHeads(reconcile, watchEveryMs),
    ),
    withdrawLost: job(
      'withdrawal_failed',
      'withdrawing approvals of a lost authenticator',
      retryEveryMs,
      () => retryWithdrawLost(reconcile),
    ),
    syncMembers: job('member_sync_failed', 'syncing members', SYNC_MEMBERS_EVERY_MS, async () => {
      await syncAllMembers(accounts);
      await endDenialsOfFormerMembers(reconcile);
    }),
    checkRepositories: job('repository_check_failed', 'checking repositories', checkRepositoriesEveryMs, () =>
      checkRepositories(accounts, checkRepositoriesEveryMs),
    ),
    checkLog: job('log_check_failed', 'comparing the log', checkLogEveryMs, () => deps.logChecks.step()),
    sendNotices: job('notices_failed', 'sending notices', sendEveryMs, () =>
      deps.sendNotices(() => isStopped),
    ),
    queuePullNotices: job(
      'pull_notices_failed',
      'queueing e-mails about pull requests',
      SENDS_A_QUEUEING * sendEveryMs,
      deps.queuePullNotices,
    ),
    deliverOutgoingWebhooks: job(
      'hook_deliveries_failed',
      'delivering outgoing webhooks',
      deliverEveryMs,
      deps.deliverOutgoingWebhooks,
    ),
    deleteExpired: job(
      'expiry_failed',
      'deleting expired records',
      DELETE_EXPIRED_EVERY_MS,
      deps.deleteExpired,
    ),
  };
  /** The jobs of each process. */
  const ownJobs = [
    // Only this process knows its failed syncs.
    job('retry_failed', 'retrying failed syncs', retryEveryMs, () =>
      retryFailedSyncs(deps.failedSyncs, onSyncFailed),
    ),
    // Whose turn it is, is stored: not each process needs to have the folder.
    job('backup_failed', 'making the daily backup', BACK_UP_EVERY_MS, deps.backUp, LONG_ROUND_MS),
  ];

  let isWantedSoon = false;
  let soonBeganAt = Number.NEGATIVE_INFINITY;
  const reconcileIfWanted = () => {
    if (!isWantedSoon || performance.now() - soonBeganAt < PAUSE_MS) return;
    isWantedSoon = false;
    soonBeganAt = performance.now();
    // A round that is already under way may have read before the webhook was sent.
    void jobs.reconcile.over().then(jobs.reconcile.round);
  };
  const takeOver = async () => {
    const first = jobs.reconcile.round();
    // Nothing that keeps a branch safe waits for these.
    void first.then(() => (isStopped ? undefined : jobs.checkRepositories.round()));
    for (const { round } of [
      jobs.reconcileDeployments,
      jobs.syncMembers,
      jobs.retry,
      jobs.withdrawLost,
      jobs.deleteExpired,
    ])
      void round();
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

  const firstRound = keepRounds();
  const timers = [
    setInterval(keepRounds, rounds.renewEveryMs),
    setInterval(reconcileIfWanted, SOON_MS),
    ...ownJobs.map(({ everyMs, round }) => setInterval(round, everyMs)),
    ...Object.values(jobs).map(({ everyMs, round }) =>
      setInterval(() => (rounds.isHeld() ? round() : undefined), everyMs),
    ),
  ];
  return {
    /** Resolves when the first reconciliation has ended, even if it failed, or if another process does them. */
    firstRound,

    /** Begins a reconciliation soon, for webhooks that were dropped. Many calls make few rounds. */
    reconcileSoon(): void {
      isWantedSoon = true;
    },

    /** Begins a round of repository checks, unless there was one in this minute. */
    checkRepositoriesSoon(): void {
      if (!isStopped) void jobs.checkRepositories.round();
    },

    /** Begins nothing more. A round that is under way ends at its next pause. */
    stop(): void {
      isStopped = true;
      timers.forEach(clearInterval);
    },

    /** Resolves when nothing is under way. */
    over: unfinished.over,
  };
}

async function retryFailedSyncs(
  failedSyncs: FailedSyncs,
  onSyncFailed: SyncFailures['onSyncFailed'],
): Promise<void> {
  // A copy: a sync that fails again is added again, and must wait for the next round.
  for (const [repository, sync] of [...failedSyncs]) {
    failedSyncs.delete(repository);
    await sync().catch((error: unknown) => {
      failedSyncs.set(repository, sync);
      onSyncFailed(error, { repository });
    });
  }
}
