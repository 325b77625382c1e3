import type { CheckRunRecord } from './ports.ts';

/** GitHub marks an incomplete run as stale after 14 days ("Status checks"), and sends no webhook. */
const REPLACED_AFTER_MS = 13 * 24 * 60 * 60 * 1000;

/** Whether a pending run is so old that GitHub will soon mark it as stale: replace it before that. */
export function isAboutToGoStale(pending: Pick<CheckRunRecord, 'since'>, now: Date): boolean {
  return now.getTime() - pending.since.getTime() > REPLACED_AFTER_MS;
}
