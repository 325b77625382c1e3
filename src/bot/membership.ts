import type { Probot } from 'probot';
import { rereadRole } from '../organizations/refresh-memberships.ts';
import type { BotDeps } from './ports.ts';

/** `membership` events: members of an organization's team are members of the organization. */
export function onMembership(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['membership.added', 'membership.removed'], async ({ payload }) => {
    await updateMember(deps, payload.organization.id, payload.member);
  });
}

/**
 * Updates one membership from GitHub. The webhook only says whom to ask GitHub
 * about: an old webhook that is sent again must not bring anyone back.
 */
export async function updateMember(
  deps: BotDeps,
  orgId: number,
  member: { id: number; login: string } | null | undefined,
): Promise<void> {
  const org = await deps.organizations.byOrgId(orgId);
  if (!org || !member) return;
  const current = await rereadRole(deps, org, { githubId: member.id, login: member.login });
  if (current === 'unknown') return;
  await deps.memberships.save(org, { githubId: member.id, login: current.login }, current.role);
  deps.visible.forget(member.id);
}
