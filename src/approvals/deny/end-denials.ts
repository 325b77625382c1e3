import type { Organization } from '../../organizations/ports.ts';
import { rereadRole } from '../../organizations/refresh-memberships.ts';
import { inTurn } from '../../shared/work.ts';
import type { HeadDeps } from '../deps.ts';
import { trySyncStored } from '../reconcile/sync-stored-head.ts';
import { withdrawalEntry } from '../withdraw/withdraw-approval.ts';

type FormerMember = { githubId: number; login: string };

/**
 * Ends the denials of a person who is no longer a member of the organization, and updates GitHub: nobody blocks a commit
 * from outside for ever. A denial that an outside collaborator gave stays until an owner sets it aside.
 *
 * @throws The first failure, after each denial had its turn.
 */
export async function endDenials(deps: HeadDeps, org: Organization, person: FormerMember): Promise<void> {
  const { githubId, login } = person;
  const denials = await deps.approvals.denialsOf({ orgId: org.orgId, githubId });
  await inTurn(denials, async (denial) => {
    if (denial.fromOutside) return;
    const userId = (await deps.users.userIdOf(githubId)) ?? '';
    const people = { userId, by: { githubId: 0, login }, holder: denial };
    const entry = withdrawalEntry(org, denial, people, { reason: denial.reason });
    await deps.approvals.withdraw(denial, { activity: { ...entry, activity: 'denialEnd' }, notices: [] });
    await trySyncStored(deps, denial);
  });
}

/**
 * Ends the denials of everybody who is no longer a member of the organization that they denied in. It asks GitHub only
 * about people who aren't among the stored members.
 *
 * @throws The first failure, after each person had their turn.
 */
export async function endDenialsOfFormerMembers(deps: HeadDeps): Promise<void> {
  await inTurn(await deps.organizations.all(), async (org) =>
    inTurn(await deps.approvals.deniers(org.orgId), async (person) => {
      if (await deps.memberships.find(org.id, person.githubId)) return;
      const current = await rereadRole(deps, org, person);
      if (current !== 'unknown' && !current.role) await endDenials(deps, org, { ...person, ...current });
    }),
  );
}
