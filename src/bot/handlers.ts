import type { Probot } from 'probot';
import type { TrackDeps } from '../approvals/track.ts';
import { onInstallation } from './installation.ts';
import { onPullRequest } from './pull-request.ts';

export type BotDeps = TrackDeps & { githubUrl: string };

/** Every webhook that the product acts on, one file for each family. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  onPullRequest(probot, deps);
  onInstallation(probot, deps);
}
