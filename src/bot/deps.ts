import type { SyncMembersDeps } from '../organizations/sync-members.ts';
import type { WatchDeps } from '../protection/deps.ts';
import type { Log } from '../shared/log-events.ts';
import type { PullWebhookDeps } from './ports.ts';

/** The dependencies of the webhook handlers; `githubUrl` is the origin of GitHub's pages. */
export type BotDeps = PullWebhookDeps &
  SyncMembersDeps &
  WatchDeps & {
    /** The repositories that each person sees, which are read again after a change of their membership. */
    visible: { forget(githubId: number): void };
    githubUrl: string;
    log: Pick<Log, 'info'>;
  };
