import type { HeadDeps } from '../approvals/deps.ts';
import type { Pushers } from '../approvals/ports.ts';
import type { Queues } from '../shared/queues.ts';

/** What a webhook about a pull request takes. */
export type PullWebhookDeps = HeadDeps & {
  pushers: Pushers;
  failedSyncs: FailedSyncs;
  /** The work on heads that webhooks of each installation are about. */
  headTurns: Pick<Queues<string>, 'add'>;
};

/** Decides which of several processes over one record store does the periodic work. */
export type Rounds = {
  /** Takes the work if nobody has it, or keeps it. */
  renew(): Promise<void>;
  isHeld(): boolean;
  renewEveryMs: number;
};

/** Syncs of repositories that failed after a webhook, by the repository's full name; the scheduler retries them. */
export type FailedSyncs = Map<string, () => Promise<void>>;
