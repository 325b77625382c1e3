import type { DeploymentDeps } from '../deployments/deps.ts';
import type { SyncMembersDeps } from '../organizations/sync-members.ts';
import type { WatchDeps } from '../protection/deps.ts';
import type { Log } from '../shared/log-events.ts';
import type { PullWebhookDeps } from './ports.ts';

/** The dependencies of the webhook handlers; `githubUrl` is the origin of GitHub's pages, and `githubApiUrl`
 * the base of its API. */
export type BotDeps = PullWebhookDeps &
  DeploymentDeps &
  SyncMembersDeps &
  WatchDeps & {
    /** The repositories that each person sees, which are read again after a change of their membership. */
    visible: { forget(githubId: number): void };
    githubUrl: string;
    githubApiUrl: string;
    log: Pick<Log, 'info'>;
  };
