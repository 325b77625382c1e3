import {
  type AnyStatement,
  denyStatement,
  deployStatement,
  rejectStatement,
  type Statement,
  statement as statementSchema,
} from '../../contract/statement.ts';
import type { ReportForgedRecord } from '../../organizations/report-forged-record.ts';
import { verifyApproval } from '../../proofs/verify-statement.ts';
import type {
  Approvals,
  HeadApprovals,
  NewGiven,
  StoredApproval,
  StoredApprovals,
  StoredDenial,
  StoredGiven,
} from '../ports.ts';

/** Keeps the approvals, denials and decisions whose assertion verifies. The others are reported and left out. */
export type OnlyVerified = <T extends StoredGiven>(given: T[]) => Promise<T[]>;

export function createOnlyVerified(report: ReportForgedRecord): OnlyVerified {
  return async (given) => {
    const isValid = await Promise.all(given.map(verifyStored));
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
    async add(given, effects) {
      const added = await approvals.add(given, effects);
      return added && (await isProved(given)) ? added : null;
    },
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
 * Tells whether the statement is about what the record says and, unless it was made with a one-time code, the stored key
 * has signed it, or the stored batch that has the hash of an approval's: WebAuthn Level 3, section 7.2.
 * The origin is the statement's own, which was ours when it was signed. The store has left a reason out that isn't the
 * signed one.
 */
export async function verifyStored(given: StoredGiven): Promise<boolean> {
  const { data: statement } = schemaOf(given).safeParse(given.statement);
  if (!statement || !isAbout(statement, given)) return false;
  // The statement is verified as it's stored, because hashes cover what the schema doesn't name, too.
  return isProved({ ...given, statement: given.statement as AnyStatement });
}

type ProvedStatement = Pick<NewGiven, 'statement' | 'proof' | 'method' | 'userVerified'>;

async function isProved({ statement, proof, method, userVerified }: ProvedStatement): Promise<boolean> {
  if (method === 'totp') return proof === null && !userVerified;
  if (!proof || (proof.batch && statement.purpose !== 'approve')) return false;
  const verified = await verifyApproval({ statement: statement as Statement, ...proof });
  return verified?.userVerified === userVerified;
}

/** The kind of statement that proves a record of this kind. */
function schemaOf(given: StoredGiven) {
  if (given.run !== undefined) return given.decision === 'approve' ? deployStatement : rejectStatement;
  return given.reason === undefined ? statementSchema : denyStatement;
}

const isAbout = (statement: AnyStatement, given: StoredGiven): boolean =>
  statement.user.id === given.githubId &&
  statement.org.id === given.orgId &&
  statement.repo.id === given.repoId &&
  statement.head === given.head &&
  ('pr' in statement
    ? statement.pr === given.pr && statement.base === given.base
    : given.pr === 0 &&
      statement.ref === given.base &&
      statement.run === given.run &&
      statement.attempt === given.attempt &&
      statement.environment === given.environment);
