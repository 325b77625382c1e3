import type { Probot } from 'probot';
import { onInstallation } from './installation.ts';
import { onMembership } from './membership.ts';
import { onMergeGroup } from './merge-group.ts';
import type { BotDeps } from './ports.ts';
import { onPullRequest } from './pull-request.ts';
import { onRepository } from './repository.ts';
import { onRerequested } from './rerequested.ts';

/** Every webhook that the product acts on, one file for each family. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  onPullRequest(probot, deps);
  onInstallation(probot, deps);
  onMembership(probot, deps);
  onMergeGroup(probot, deps);
  onRepository(probot, deps);
  onRerequested(probot, deps);
}
