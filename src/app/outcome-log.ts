import type { SyncTarget } from '../approvals/sync-target.ts';
import type { OutgoingWebhookOutcome } from '../contract/outgoing-webhooks.ts';
import type { ForgedRecord } from '../organizations/ports.ts';
import type { Receiver } from '../outgoing-webhooks/deliver.ts';
import { AppError } from '../shared/app-error.ts';
import type { Log } from '../shared/log-events.ts';
import { isTooLate } from '../shared/work.ts';
import type { Metrics } from './metrics.ts';

/** Called for what happened: each call writes a line of the log, and some count in a metric. */
export type OutcomeLog = ReturnType<typeof createOutcomeLog>;

type Counters = Pick<Metrics, 'forgedCheck' | 'forgedRecord' | 'overdueRound'> | undefined;

const SILENT = "webhooks don't arrive: GitHub shows changes that no webhook was about";
const NO_CHECKPOINT = "completed a check run without the log's checkpoint: the log can't be read";
const FORGED_CHECK = "GitHub showed a green check that OTP Guard didn't give; replace the App's private key";
const FORGED_RECORD = 'a record in the record store was not written by OTP Guard; it is ignored';
const LOSS_LEFT =
  "approvals made with a lost or stolen authenticator couldn't all be withdrawn, so their checks may be green; it will be tried again";
const OVERDUE = 'periodic work did not end in time; the next round begins without it';
const LOG_CHANGED =
  "the end of an organization's log was not written by OTP Guard; nothing can be logged or approved there until a backup is restored";
/** How long `readyz` shows that a round was overdue. */
const OVERDUE_SHOWN_MS = 30 * 60_000;

export function createOutcomeLog(log: Log, metrics?: Counters) {
  let overdueAt = Number.NEGATIVE_INFINITY;
  const onOverdue = (round: string, target?: SyncTarget) => {
    overdueAt = performance.now();
    log.error({ event: 'round_overdue', round, ...target }, OVERDUE);
    metrics?.overdueRound();
  };
  return {
    onOverdue,
    wasOverdue: () => performance.now() - overdueAt < OVERDUE_SHOWN_MS,
    onSyncFailed(err: unknown, target: SyncTarget) {
      if (isTooLate(err)) onOverdue('reconciliation', target);
      else log.warn({ event: 'sync_failed', ...target, err }, 'sync failed; it will be tried again');
    },
    onRepaired: (target: SyncTarget) =>
      log.info({ event: 'check_run_repaired', ...target }, 'repaired a check run'),
    onNoCheckpoint(err: unknown, target: SyncTarget) {
      const isChanged = err instanceof AppError && err.code === 'logChanged';
      log[isChanged ? 'error' : 'warn']({ event: 'checkpoint_missing', ...target, err }, NO_CHECKPOINT);
    },
    onForgedCheck(target: SyncTarget) {
      log.error({ event: 'forged_check', ...target }, FORGED_CHECK);
      metrics?.forgedCheck();
    },
    onForgedRecord(forged: ForgedRecord) {
      log.error({ event: 'forged_record', ...forged }, FORGED_RECORD);
      metrics?.forgedRecord();
    },
    onUnreported: (err: unknown, forged: ForgedRecord) =>
      log.warn({ event: 'forged_record_unlogged', ...forged, err }, 'could not log a forged record'),
    onLogChanged(org: string) {
      log.error({ event: 'log_changed', org }, LOG_CHANGED);
      metrics?.forgedRecord();
    },
    onSilence: (silence: { installation: number; since: Date }) =>
      log.error({ event: 'webhooks_silent', ...silence }, SILENT),
    onLossLeft: (err: unknown, org: number) => log.warn({ event: 'withdrawal_failed', org, err }, LOSS_LEFT),
    onDelay: (err: unknown) =>
      log.warn({ event: 'github_update_delayed', err }, 'stored; GitHub will be updated later'),
    onNotStored: (err: unknown) =>
      log.error({ event: 'approval_not_stored', err }, 'an approval of a batch could not be stored'),
    onDeliveryFailed(
      failed: Receiver & { outcome: OutgoingWebhookOutcome; tries: number },
      isStopped: boolean,
    ) {
      if (isStopped)
        log.warn(
          { event: 'hook_stopped', ...failed },
          'an outgoing webhook failed for a week; it was stopped',
        );
      else
        log.info({ event: 'hook_failed', ...failed }, 'an outgoing webhook failed; it will be tried again');
    },
    onDeliveryError: (err: unknown, receiver: Receiver) =>
      log.warn({ event: 'hook_work_failed', ...receiver, err }, 'could not work on an outgoing webhook'),
    onUnsent: (err: unknown, { kind, tries }: { kind: string; tries: number }) =>
      log.warn({ event: 'notice_unsent', err, kind, tries }, 'could not send a notice'),
  };
}
