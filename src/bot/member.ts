import type { Probot } from 'probot';
import { recheckRepository } from '../organizations/check-repositories.ts';
import type { BotDeps } from './ports.ts';

/** `member` events: a repository's collaborators changed, and so maybe who its administrators are. */
export function onMember(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('member', ({ payload }) => recheckRepository(deps, payload.repository.id, null));
}
