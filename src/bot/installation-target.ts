import type { Probot } from 'probot';
import { syncRenamed } from './organization.ts';
import type { BotDeps } from './ports.ts';

/**
 * `installation_target` events: an account was renamed. GitHub doesn't document which Apps receive them. Without one,
 * `organization.renamed` tells it of organizations, and each reconciliation of every account.
 */
export function onInstallationTarget(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('installation_target.renamed', ({ payload }) => syncRenamed(deps, payload.installation.id));
}
