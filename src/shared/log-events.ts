/**
 * The names of our log lines, in their field `event`. Operators build alerts on them, so a name stays although the
 * message beside it gets better. docs/monitoring.md says what to do about each.
 */
export const LOG_EVENTS = [
  'starting',
  'start_waits',
  'crashed',
  'github_signed_in',
  'enterprise_server_old',
  'proxy_unknown',
  'schema_applied',
  'signing_key_unusable',
  'store_ended',
  'store_not_started',
  'store_replaced',
  'store_said',
  'redis_away',
  'redis_back',
  'rounds_taken',
  'request',
  'request_failed',
  'request_refused',
  'webhook_failed',
  'webhooks_silent',
  'marketplace_purchase',
  'check_run_repaired',
  'checkpoint_missing',
  'sync_failed',
  'github_update_delayed',
  'approval_not_stored',
  'forged_check',
  'forged_record',
  'forged_record_unlogged',
  'log_changed',
  'notice_unsent',
  'image_not_drawn',
  'hook_failed',
  'hook_stopped',
  'hook_work_failed',
  'round_overdue',
  'reconciliation_failed',
  'retry_failed',
  'watch_failed',
  'withdrawal_failed',
  'expiry_failed',
  'member_sync_failed',
  'log_check_failed',
  'repository_check_failed',
  'notices_failed',
  'pull_notices_failed',
  'hook_deliveries_failed',
  'backup_made',
  'backup_failed',
  'backup_unencrypted',
  'backup_records_ignored',
  'signing_keys_lost',
  'restore_finished',
  'restore_undone',
  'restore_unlogged',
  'comparison_incomplete',
] as const;

export type LogEventName = (typeof LOG_EVENTS)[number];

type WriteLine = (line: { event: LogEventName; [field: string]: unknown }, message: string) => void;

/** The log for our own lines: pino's logger, but no line without a name. */
export type Log = { info: WriteLine; warn: WriteLine; error: WriteLine };
