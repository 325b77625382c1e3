import type { NewHeadDeps } from '../approvals/check-run/new-head.ts';
import type { Pushers } from '../approvals/ports.ts';

/** What a webhook about a pull request takes. */
export type PullWebhookDeps = NewHeadDeps & { pushers: Pushers; failedSyncs: FailedSyncs };

/** Decides which of several processes over one record store does the periodic work. */
export type Rounds = {
  /** Takes the work if nobody has it, or keeps it. */
  renew(): Promise<void>;
  isHeld(): boolean;
  renewEveryMs: number;
};

/** Syncs of repositories that failed after a webhook, by the repository's full name; the scheduler retries them. */
export type FailedSyncs = Map<string, () => Promise<void>>;
