import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';
import { updateMember } from './update-member.ts';

/** `organization` events: its members, its name, its deletion. */
export function onOrganization(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['organization.member_added', 'organization.member_removed'], async ({ payload }) => {
    await updateMember(deps, payload.organization.id, payload.membership?.user);
  });

  probot.on(['organization.renamed', 'organization.deleted'], async ({ payload }) => {
    const id = payload.installation?.id;
    if (id === undefined) return;
    const installation = await deps.installations.get(id);
    if (installation) await deps.organizations.save(installation);
    else await deps.organizations.removed(id);
  });
}
