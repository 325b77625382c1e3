import type { Credential, Credentials } from '../authenticators/ports.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { Policies, StoredPolicy } from '../policies/ports.ts';
import type { Approval, Approvals, OpenPulls, WithdrawnApproval } from './ports.ts';

/** `ownerId`: the account that owns the repository. */
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

/** What the store has about a head apart from its policy; `numbers` are of the pull requests that had it at the last sync. */
export type StoredRecords = { given: Approval[]; withdrawn: WithdrawnApproval[]; numbers: number[] };

type RecordDeps = {
  approvals: Pick<Approvals, 'historyOf'>;
  openPulls: Pick<OpenPulls, 'numbersWithHead'>;
};

export async function readRecords(
  deps: RecordDeps,
  { repoId, head }: { repoId: number; head: string },
): Promise<StoredRecords> {
  const [{ valid: given, withdrawn }, numbers] = await Promise.all([
    deps.approvals.historyOf(repoId, head),
    deps.openPulls.numbersWithHead(repoId, head),
  ]);
  return { given, withdrawn, numbers };
}

/** All that a verdict about a head needs of the store. */
export type StoredHead = StoredRecords & StoredGrounds;

export async function readStoredHead(
  deps: RecordDeps & { policies: Pick<Policies, 'inForce'> },
  at: HeadOf,
): Promise<StoredHead> {
  const [records, inForce] = await Promise.all([readRecords(deps, at), deps.policies.inForce(at.ownerId)]);
  return { ...records, inForce };
}

/** The approvals and the policy, and the head of the pull request that was approved before this one. */
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
