import type { Probot } from 'probot';
import { endDenials } from '../approvals/deny/end-denials.ts';
import { syncInstallation } from '../approvals/reconcile/sync-installation.ts';
import type { Installation } from '../organizations/ports.ts';
import { rereadRole } from '../organizations/refresh-memberships.ts';
import { aboutPerson } from '../protection/compare.ts';
import type { Noted } from '../protection/ports.ts';
import { watchAccount } from '../protection/watch.ts';
import type { BotDeps } from './deps.ts';
import { notedIn } from './noted.ts';

/**
 * `organization` events: its members, its name, its deletion. `membership` events: the members of its teams are its members.
 * `installation_target` events: an account was renamed; GitHub doesn't document which Apps receive them.
 */
export function onOrganization(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['organization.member_added', 'organization.member_removed'], async ({ payload }) => {
    const { organization, membership, action } = payload;
    await updateMember(deps, organization.id, membership?.user);
    const org = await deps.organizations.byOrgId(organization.id);
    if (!org) return;
    // GitHub sends nothing about a promotion, so a webhook about another person doesn't say who did that.
    const isAboutOwner = action === 'member_removed' || membership?.role === 'admin';
    const person = isAboutOwner ? membership?.user : undefined;
    await watchAccount(deps, org, person && notedIn(deps, payload, ['ownerAdded'], aboutPerson(person.id)));
  });

  probot.on(['membership.added', 'membership.removed'], async ({ payload }) => {
    await updateMember(deps, payload.organization.id, payload.member);
  });

  probot.on('organization.deleted', async ({ payload }) => {
    const noted = notedIn(deps, payload, ['appRemoved']);
    if (payload.installation) await readInstallation(deps, payload.installation.id, noted);
  });

  // Without any of them, each reconciliation finds the new name.
  probot.on(['organization.renamed', 'installation_target.renamed'], async ({ payload }) => {
    const installation = payload.installation && (await readInstallation(deps, payload.installation.id));
    // The links of waiting check runs contain the account's name, so those runs are created again.
    if (installation) await syncInstallation(deps, installation);
  });
}

/**
 * Updates one membership from GitHub. The webhook only says whom to ask GitHub
 * about: an old webhook that is sent again must not bring anyone back.
 */
async function updateMember(
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
  if (!current.role) await endDenials(deps, org, { githubId: member.id, login: current.login });
}

/** Saves what GitHub says about the installation now: the payload may be old. */
async function readInstallation(
  deps: BotDeps,
  id: number,
  noted: Noted | null = null,
): Promise<Installation | null> {
  const installation = await deps.installations.get(id);
  const ended = installation ? null : await deps.organizations.byInstallation(id);
  if (installation) await deps.organizations.save(installation);
  if (ended) await watchAccount(deps, ended, noted);
  return installation;
}
