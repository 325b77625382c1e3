import type { Probot } from 'probot';
import { onInstallation } from './installation.ts';
import { onMembership } from './membership.ts';
import type { BotDeps } from './ports.ts';
import { onPullRequest } from './pull-request.ts';

/** Every webhook that the product acts on, one file for each family. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  onPullRequest(probot, deps);
  onInstallation(probot, deps);
  onMembership(probot, deps);
}
