import type { Probot } from 'probot';
import { syncRenamed } from './organization.ts';
import type { BotDeps } from './ports.ts';

/** `installation_target` events: an account was renamed. Every App receives them, for personal accounts too. */
export function onInstallationTarget(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('installation_target.renamed', ({ payload }) => syncRenamed(deps, payload.installation.id));
}
