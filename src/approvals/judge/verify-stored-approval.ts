import {
  denyStatement,
  deployStatement,
  rejectStatement,
  type Statement,
  statement as statementSchema,
} from '../../contract/statement.ts';
import type { ReportForgedRecord } from '../../organizations/report-forged-record.ts';
import { verifyApproval, verifyStatement } from '../../proofs/verify-statement.ts';
import type {
  Approvals,
  HeadApprovals,
  StoredApproval,
  StoredApprovals,
  StoredDecision,
  StoredDenial,
} from '../ports.ts';

/** Keeps the approvals, denials and decisions whose assertion verifies. The others are reported and left out. */
export type OnlyVerified = <T extends StoredGiven>(given: T[]) => Promise<T[]>;

type StoredGiven = StoredApproval | StoredDenial | StoredDecision;

export function createOnlyVerified(report: ReportForgedRecord): OnlyVerified {
  const verify = (one: StoredGiven) => {
    if (one.run !== undefined) return verifyStoredDecision(one);
    return one.reason === undefined ? verifyStoredApproval(one) : verifyStoredDenial(one);
  };
  return async (given) => {
    const isValid = await Promise.all(given.map(verify));
    return given.filter(({ id, orgId }, index) => {
      if (!isValid[index]) report({ collection: 'approvals', id, org: { orgId }, reason: 'assertion' });
      return isValid[index];
    });
  };
}

/** Approvals, denials and decisions whose assertion is verified again before anyone counts them. */
export function createVerifiedApprovals(approvals: StoredApprovals, onlyVerified: OnlyVerified): Approvals {
  const verified = async (ofHead: HeadApprovals<StoredApproval, StoredDenial>): Promise<HeadApprovals> => ({
    valid: await onlyVerified(ofHead.valid),
    denials: await onlyVerified(ofHead.denials),
    withdrawn: ofHead.withdrawn,
  });
  const checked: Pick<Approvals, keyof StoredApprovals> = {
    ...approvals,
    ofHead: async (repoId, head) => verified(await approvals.ofHead(repoId, head)),
    async ofPull(repoId, pr) {
      const ofPull = await approvals.ofPull(repoId, pr);
      return {
        approvals: await onlyVerified(ofPull.approvals),
        denials: await onlyVerified(ofPull.denials),
      };
    },
    async ofHeads(repoId, heads) {
      const byHead = await approvals.ofHeads(repoId, heads);
      return new Map(
        await Promise.all([...byHead].map(async ([head, all]) => [head, await verified(all)] as const)),
      );
    },
    ofDeployment: async (deployment) => onlyVerified(await approvals.ofDeployment(deployment)),
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

/** Tells the same of a denial. The store has left a reason out that isn't the signed one. */
export async function verifyStoredDenial(denial: StoredDenial): Promise<boolean> {
  const { data: statement } = denyStatement.safeParse(denial.statement);
  return statement !== undefined && isAbout(statement, denial) && isProved(denial);
}

/** Tells the same of a decision about a deployment. */
export async function verifyStoredDecision(decision: StoredDecision): Promise<boolean> {
  const schema = decision.decision === 'approve' ? deployStatement : rejectStatement;
  const { data: statement } = schema.safeParse(decision.statement);
  const { run, attempt, environment } = decision;
  return (
    statement !== undefined &&
    isAbout({ ...statement, pr: 0, base: statement.ref }, decision) &&
    statement.run === run &&
    statement.attempt === attempt &&
    statement.environment === environment &&
    isProved(decision)
  );
}

/** A batch proves approvals alone. */
async function isProved({ proof, method, userVerified, statement }: StoredGiven): Promise<boolean> {
  if (method === 'totp') return proof === null && !userVerified;
  if (!proof || proof.batch) return false;
  const verified = await verifyStatement({ ...proof, statement: statement as { host: string } });
  return verified?.userVerified === userVerified;
}

function isAbout(
  statement: Pick<Statement, 'user' | 'org' | 'repo' | 'pr' | 'base' | 'head'>,
  approval: StoredGiven,
): boolean {
  return (
    statement.user.id === approval.githubId &&
    statement.org.id === approval.orgId &&
    statement.repo.id === approval.repoId &&
    statement.pr === approval.pr &&
    statement.base === approval.base &&
    statement.head === approval.head
  );
}
