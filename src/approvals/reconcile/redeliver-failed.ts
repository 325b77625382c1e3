import { groupBy } from '../../shared/group-by.ts';
import type { ReconcileDeps } from './deps.ts';
import type { ReconcileReport, SentWebhook } from './ports.ts';

/** GitHub keeps deliveries for three days. */
const DELIVERIES_KEPT_MS = 3 * 24 * 60 * 60 * 1000;
/** Some deliveries of the previous round may still have been under way. */
const OVERLAP_MS = 15 * 60 * 1000;
/** How often we ask GitHub to redeliver the same webhook. */
const REDELIVERY_LIMIT = { most: 3, ms: DELIVERIES_KEPT_MS };
const UNDER_WAY_MS = 60_000;
/** One round asks GitHub to redeliver at most this many webhooks. */
const MOST_REDELIVERED = 25;

/** The time from which failed deliveries are listed: the previous round's, within the three days. */
export function firstDelivery(previous: ReconcileReport | null, now: Date): Date {
  const oldest = now.getTime() - DELIVERIES_KEPT_MS;
  return new Date(Math.max(oldest, Date.parse(previous?.deliveriesFrom ?? '') || 0));
}

/** Asks GitHub to redeliver the webhooks whose attempts all failed. */
export async function redeliverFailed(
  deps: ReconcileDeps,
  from: Date,
): Promise<Pick<ReconcileReport, 'redelivered' | 'missed' | 'deliveriesFrom'>> {
  const now = deps.clock.now();
  const failed = await findUnprocessed(deps, from);
  let redelivered = 0;
  let isComplete = true;
  for (const { id, guid } of newestAttempts(failed, deps)) {
    if (redelivered >= MOST_REDELIVERED) {
      isComplete = false;
      break;
    }
    try {
      const slot = await deps.quota.take(`redeliver:${guid}`, REDELIVERY_LIMIT, now);
      // We asked often enough, and give this webhook up.
      if (slot instanceof Date) continue;
      await deps.sentWebhooks.redeliver(id);
      redelivered += 1;
    } catch (error) {
      isComplete = false;
      deps.onSyncFailed(error, { repository: 'the list of deliveries' });
    }
  }
  return {
    redelivered,
    missed: countMissed(failed, now),
    // The next round continues with the rest.
    deliveriesFrom: (isComplete ? new Date(now.getTime() - OVERLAP_MS) : from).toISOString(),
  };
}

const LIST_ENDS =
  'GitHub sent so many webhooks that the list of them could not be read to its end. Those that nobody answered may be missing';

/** The failed attempts to deliver one webhook, the newest first. */
type Attempts = [SentWebhook, ...SentWebhook[]];

/** The failed attempts of each webhook that we never processed. */
async function findUnprocessed(deps: ReconcileDeps, from: Date): Promise<Attempts[]> {
  const { failed: listed, isWhole } = await deps.sentWebhooks.listFailed(from);
  if (!isWhole) deps.onSyncFailed(new Error(LIST_ENDS), { repository: 'the list of deliveries' });
  // Webhooks that nothing acts on can fail by the thousand.
  const attempts = groupBy(listed.filter(deps.isHandled), ({ guid }) => guid);
  const unprocessed: Attempts[] = [];
  for (const [guid, failed] of attempts)
    if (!(await deps.deliveries.isProcessed(guid))) unprocessed.push(failed);
  return unprocessed;
}

/** The newest attempt of each webhook; irreplaceable webhooks come first. */
function newestAttempts(
  failed: Attempts[],
  { isIrreplaceable }: Pick<ReconcileDeps, 'isIrreplaceable'>,
): SentWebhook[] {
  return failed
    .map(([newest]) => newest)
    .sort((one, other) => Number(isIrreplaceable(other)) - Number(isIrreplaceable(one)));
}

/**
 * Counts the webhooks that each installation is missing. A webhook that failed once
 * doesn't count: it may be from before the first start. Neither does one whose
 * last attempt may still be under way.
 */
function countMissed(failed: Attempts[], now: Date): Record<string, number> {
  const missed: Record<string, number> = {};
  for (const [newest, ...earlier] of failed) {
    if (earlier.length === 0 || now.getTime() - newest.at.getTime() < UNDER_WAY_MS) continue;
    const key = String(newest.installation ?? 0);
    missed[key] = (missed[key] ?? 0) + 1;
  }
  return missed;
}
