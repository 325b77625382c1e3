import type { Probot } from 'probot';
import { AppError } from '../shared/app-error.ts';
import { onCheckRun } from './check-run.ts';
import { onDeploymentProtectionRule } from './deployment-protection-rule.ts';
import type { BotDeps } from './deps.ts';
import { onInstallation } from './installation.ts';
import { onMarketplacePurchase } from './marketplace-purchase.ts';
import { onMergeGroup } from './merge-group.ts';
import { onOrganization } from './organization.ts';
import { onProtection } from './protection.ts';
import { onPullRequest } from './pull-request.ts';
import { onRepository } from './repository.ts';

const EVENTS = [
  onCheckRun,
  onDeploymentProtectionRule,
  onInstallation,
  onMarketplacePurchase,
  onMergeGroup,
  onOrganization,
  onProtection,
  onPullRequest,
  onRepository,
];

/** Registers a handler for every webhook that the product acts on: one file per subject. */
export function registerHandlers(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  const on: Probot['on'] = (names, handler) =>
    probot.on(names, async (context) => {
      try {
        await handler(context);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'installationNotFound')) throw error;
        // Nothing can be read or written there, and a redelivery couldn't either.
        deps.log.info({ event: 'installation_gone', webhook: context.name }, GONE);
      }
    });
  for (const onEvent of EVENTS) onEvent({ on }, deps);
}

const GONE = 'a webhook came of an account that has removed the App; there is nothing to do';

/** The names that handlers are registered for: an event, or an event with an action. */
const HANDLED = new Set<string>();
const note = (names: string | string[]) => {
  for (const name of [names].flat()) HANDLED.add(name);
};
registerHandlers({ on: note }, {} as BotDeps);

/**
 * Tells whether the product acts on webhooks of this kind. GitHub sends many others, and the App can't unsubscribe from
 * all.
 */
export const isHandled = ({ event, action }: { event: string; action: unknown }): boolean =>
  HANDLED.has(event) || HANDLED.has(`${event}.${action}`);

/** A queue forgets the groups and a person the re-run that nobody answers. Of the others, readings find what, but not who. */
const IRREPLACEABLE: Parameters<Probot['on']>[0] = [
  'merge_group',
  'check_run.rerequested',
  'check_suite.rerequested',
  'repository_ruleset',
  'branch_protection_rule',
  'branch_protection_configuration',
  'deploy_key',
];

/** Tells whether reading from GitHub can't make up for a webhook of this kind. */
export const isIrreplaceable = ({ event, action }: { event: string; action: unknown }): boolean =>
  [event, `${event}.${action}`].some((name) => (IRREPLACEABLE as string[]).includes(name));
