import type { Probot } from 'probot';
import { recheckRepository } from '../organizations/check-repositories.ts';
import { aboutKey } from '../organizations/protection/compare.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/** `deploy_key` events, handled like those of `branch-protection-rule.ts`. */
export function onDeployKey(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('deploy_key', ({ payload }) =>
    recheckRepository(
      deps,
      payload.repository.id,
      notedIn(deps, payload, ['deployKeyAdded'], aboutKey(payload.key.id)),
    ),
  );
}
