import type { Credential, Credentials } from '../authenticators/ports.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { Policies, StoredPolicy } from '../policies/ports.ts';
import type { Approval, Approvals } from './ports.ts';

type HeadOf = { repoId: number; head: string; ownerId: number };

/** What the store has about a head: the approvals given before, and the policy in force. */
export type StoredGrounds = { given: Approval[]; inForce: StoredPolicy };

export async function readStored(
  deps: { approvals: Pick<Approvals, 'forHead'>; policies: Pick<Policies, 'inForce'> },
  { repoId, head, ownerId }: HeadOf,
): Promise<StoredGrounds> {
  const [given, inForce] = await Promise.all([
    deps.approvals.forHead(repoId, head),
    deps.policies.inForce(ownerId),
  ]);
  return { given, inForce };
}

/** The same, and the head of the pull request that was approved before this one. */
export type StoredTarget = StoredGrounds & { approvedBefore: string | null };

export async function readStoredTarget(
  deps: { approvals: Pick<Approvals, 'forHead' | 'previousHead'>; policies: Pick<Policies, 'inForce'> },
  { pr, ...at }: HeadOf & { pr: number },
): Promise<StoredTarget> {
  const [stored, approvedBefore] = await Promise.all([
    readStored(deps, at),
    deps.approvals.previousHead(at.repoId, pr, at.head),
  ]);
  return { ...stored, approvedBefore };
}

/** The person's credentials in an organization; null if we don't know it yet. */
export async function readHeld(
  deps: { organizations: Pick<Organizations, 'byOrgId'>; credentials: Pick<Credentials, 'list'> },
  userId: string,
  orgId: number,
): Promise<Credential[] | null> {
  const org = await deps.organizations.byOrgId(orgId);
  return org && deps.credentials.list(userId, org.id);
}
