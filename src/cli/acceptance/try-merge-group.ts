import { findWebhook } from './deliveries.ts';
import type { Seen } from './outcome.ts';
import type { Scratch } from './scratch.ts';

/** As `src/bot/merge-group.ts` reads it. */
const QUEUE_REF = /^refs\/heads\/gh-readonly-queue\/.+\/pr-[1-9][0-9]*-([0-9a-f]{40,64})$/;
const NONE =
  'No merge group of this repository is among the newest 100 webhooks. Put a pull request in its merge queue, then try again.';

/** Looks at a merge group that came before: only a person can put a pull request in the queue that may pass it. */
export async function tryMergeGroup(scratch: Scratch): Promise<Seen[]> {
  const event = { event: 'merge_group', action: 'checks_requested', matches: () => true };
  const sent = await findWebhook(scratch, event);
  const id = 'merge-group-webhook';
  if (!sent) return [{ id, notTried: NONE }];
  const group = (sent.payload.merge_group ?? {}) as Record<string, unknown>;
  const [, below] = QUEUE_REF.exec(String(group.head_ref)) ?? [];
  const isSame = below !== undefined && below === group.base_sha && 'installation' in sent.payload;
  return [{ id, seen: isSame ? 'the ref has this form' : 'the ref has another form' }];
}
