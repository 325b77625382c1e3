import { type Statement, statement as statementSchema } from '../../contract/statement.ts';
import type { ReportForgedRecord } from '../../organizations/report-forged-record.ts';
import { verifyApproval } from '../../proofs/verify-statement.ts';
import type { Approvals, HeadApprovals, StoredApproval, StoredApprovals } from '../ports.ts';

/** Keeps the approvals whose assertion verifies. The others are reported and left out. */
export type OnlyVerified = <T extends StoredApproval>(approvals: T[]) => Promise<T[]>;

export function createOnlyVerified(report: ReportForgedRecord): OnlyVerified {
  return async (approvals) => {
    const isValid = await Promise.all(approvals.map(verifyStoredApproval));
    return approvals.filter(({ id, orgId }, index) => {
      if (!isValid[index]) report({ collection: 'approvals', id, org: { orgId }, reason: 'assertion' });
      return isValid[index];
    });
  };
}

/** Approvals whose assertion is verified again before anyone counts them. */
export function createVerifiedApprovals(approvals: StoredApprovals, onlyVerified: OnlyVerified): Approvals {
  const verified = async ({ valid, withdrawn }: HeadApprovals<StoredApproval>): Promise<HeadApprovals> => ({
    valid: await onlyVerified(valid),
    withdrawn,
  });
  const checked: Pick<Approvals, keyof StoredApprovals> = {
    ...approvals,
    async add(...given) {
      const added = await approvals.add(...given);
      const [approval] = added ? await onlyVerified([added.approval]) : [];
      return added && approval ? { ...added, approval } : null;
    },
    ofHead: async (repoId, head) => verified(await approvals.ofHead(repoId, head)),
    ofPull: async (repoId, pr) => onlyVerified(await approvals.ofPull(repoId, pr)),
    async ofHeads(repoId, heads) {
      const byHead = await approvals.ofHeads(repoId, heads);
      return new Map(
        await Promise.all([...byHead].map(async ([head, all]) => [head, await verified(all)] as const)),
      );
    },
  };
  return checked as Approvals;
}

/**
 * Tells whether the statement is about this approval and, unless it was made with a
 * one-time code, the stored key has signed it, or the stored batch that has its hash: WebAuthn Level 3, section 7.2.
 * The origin is the statement's own, which was ours when it was signed.
 */
export async function verifyStoredApproval(approval: StoredApproval): Promise<boolean> {
  const { proof, method, userVerified } = approval;
  const { data: statement } = statementSchema.safeParse(approval.statement);
  if (!statement || !isAbout(statement, approval)) return false;
  if (method === 'totp') return proof === null && !userVerified;
  if (!proof) return false;
  // The statement is verified as it's stored, because hashes cover what the schema doesn't name, too.
  const verified = await verifyApproval({ statement: approval.statement as Statement, ...proof });
  return verified?.userVerified === userVerified;
}

function isAbout(statement: Statement, approval: StoredApproval): boolean {
  return (
    statement.user.id === approval.githubId &&
    statement.org.id === approval.orgId &&
    statement.repo.id === approval.repoId &&
    statement.pr === approval.pr &&
    statement.base === approval.base &&
    statement.head === approval.head
  );
}
