import type { HeadDeps } from '../approvals/deps.ts';
import type { Pushers } from '../approvals/ports.ts';
import type { SyncMembersDeps } from '../organizations/sync-members.ts';
import type { WatchDeps } from '../protection/deps.ts';
import type { Log } from '../shared/log-events.ts';
import type { Queues } from '../shared/queues.ts';

/** The dependencies of the webhook handlers; `githubUrl` is the origin of GitHub's pages. */
export type BotDeps = HeadDeps &
  SyncMembersDeps &
  WatchDeps & {
    pushers: Pushers;
    /** The repositories that each person sees, which are read again after a change of their membership. */
    visible: { forget(githubId: number): void };
    githubUrl: string;
    failedSyncs: FailedSyncs;
    /** The work on heads that webhooks of each installation are about. */
    headTurns: Pick<Queues<string>, 'add'>;
    log: Pick<Log, 'info'>;
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
