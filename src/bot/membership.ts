import type { Probot } from 'probot';
import { confirmRole } from '../accounts/confirm-role.ts';
import type { BotDeps } from './ports.ts';

/**
 * Follows who belongs to an organization. A webhook only says whom to ask
 * GitHub about: an old one, sent once more, must not bring anyone back.
 */
export function onMembership(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  const ask = async (orgId: number, member: { id: number; login: string } | null | undefined) => {
    const org = await deps.organizations.byOrgId(orgId);
    if (!org || !member) return;
    const now = await confirmRole(deps, org, { githubId: member.id, login: member.login });
    if (now === 'unknown') return;
    await deps.memberships.save(org, { githubId: member.id, login: now.login }, now.role);
  };

  probot.on(['organization.member_added', 'organization.member_removed'], async ({ payload }) => {
    await ask(payload.organization.id, payload.membership?.user);
  });

  // A team of the organization: who is in one, is in the organization.
  probot.on(['membership.added', 'membership.removed'], async ({ payload }) => {
    await ask(payload.organization.id, payload.member);
  });

  probot.on(['organization.renamed', 'organization.deleted'], async ({ payload }) => {
    const id = payload.installation?.id;
    if (id === undefined) return;
    const now = await deps.installations.get(id);
    if (now) await deps.organizations.save(now);
    else await deps.organizations.removed(id);
  });
}
