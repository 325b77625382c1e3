import type { Probot } from 'probot';
import { onBranchProtectionRule } from './branch-protection-rule.ts';
import { onCheckRun } from './check-run.ts';
import { onCheckSuite } from './check-suite.ts';
import { onDeployKey } from './deploy-key.ts';
import { onInstallation } from './installation.ts';
import { onInstallationRepositories } from './installation-repositories.ts';
import { onInstallationTarget } from './installation-target.ts';
import { onMarketplacePurchase } from './marketplace-purchase.ts';
import { onMember } from './member.ts';
import { onMembership } from './membership.ts';
import { onMergeGroup } from './merge-group.ts';
import { onOrganization } from './organization.ts';
import type { BotDeps } from './ports.ts';
import { onPullRequest } from './pull-request.ts';
import { onRepository } from './repository.ts';
import { onRepositoryRuleset } from './repository-ruleset.ts';

const EVENTS = [
  onBranchProtectionRule,
  onCheckRun,
  onCheckSuite,
  onDeployKey,
  onInstallation,
  onInstallationRepositories,
  onInstallationTarget,
  onMarketplacePurchase,
  onMember,
  onMembership,
  onMergeGroup,
  onOrganization,
  onPullRequest,
  onRepository,
  onRepositoryRuleset,
];

/** Registers a handler for every webhook that the product acts on: one file per event. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  for (const onEvent of EVENTS) onEvent(probot, deps);
}

/** The names that handlers are registered for: an event, or an event with an action. */
const HANDLED = new Set<string>();
const note = (names: string | string[]) => {
  for (const name of [names].flat()) HANDLED.add(name);
};
registerHandlers({ on: note }, {} as BotDeps);

/** Whether the product acts on webhooks of this kind. GitHub sends many others, and the App can't unsubscribe from all. */
export const isHandled = ({ event, action }: { event: string; action: unknown }): boolean =>
  HANDLED.has(event) || HANDLED.has(`${event}.${action}`);
