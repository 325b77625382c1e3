import type { Probot } from 'probot';
import { onCheckRun } from './check-run.ts';
import { onCheckSuite } from './check-suite.ts';
import { onInstallation } from './installation.ts';
import { onInstallationRepositories } from './installation-repositories.ts';
import { onMarketplacePurchase } from './marketplace-purchase.ts';
import { onMembership } from './membership.ts';
import { onMergeGroup } from './merge-group.ts';
import { onOrganization } from './organization.ts';
import type { BotDeps } from './ports.ts';
import { onPullRequest } from './pull-request.ts';
import { onRepository } from './repository.ts';
import { onRepositoryChecks } from './repository-checks.ts';

/** Registers a handler for every webhook that the product acts on: one file per event. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  onCheckRun(probot, deps);
  onCheckSuite(probot, deps);
  onInstallation(probot, deps);
  onInstallationRepositories(probot, deps);
  onMarketplacePurchase(probot, deps);
  onMembership(probot, deps);
  onMergeGroup(probot, deps);
  onOrganization(probot, deps);
  onPullRequest(probot, deps);
  onRepository(probot, deps);
  onRepositoryChecks(probot, deps);
}
