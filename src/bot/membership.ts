import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';
import { updateMember } from './update-member.ts';

/** `membership` events: members of an organization's team are members of the organization. */
export function onMembership(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['membership.added', 'membership.removed'], async ({ payload }) => {
    await updateMember(deps, payload.organization.id, payload.member);
  });
}
