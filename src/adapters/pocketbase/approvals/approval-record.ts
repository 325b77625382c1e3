import type {
  DeploymentKey,
  StoredApproval,
  StoredDecision,
  StoredDenial,
  StoredGiven,
} from '../../../approvals/ports.ts';
import { assertionFlags } from '../../../authenticators/step-up/verify-assertion.ts';
import { sha256Base64url } from '../../../shared/crypto.ts';
import type { LoggedChange } from '../audit/activity-log.ts';
import { MOST_LISTED } from '../audit/collections.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

export type ApprovalRecord = RecordOf<'approvals'>;

/** The time of the statement, which the MAC covers. The store's own time isn't. */
const timeOf = ({ statement, created }: ApprovalRecord) =>
  typeof statement?.iat === 'number' ? new Date(statement.iat * 1000) : new Date(created);

/** The time at which it was withdrawn: the field has the approval's id after it. Null while the approval counts. */
export const withdrawnAt = ({ withdrawn }: ApprovalRecord): Date | null => {
  const [time = ''] = withdrawn.split(' ');
  return time === '' ? null : new Date(time);
};

/** Reads it from the flags that the key signed. */
const isDeviceBound = ({ response }: NonNullable<ApprovalRecord['assertion']>) =>
  !assertionFlags(response.authenticatorData).backupEligible;

const toProof = (
  assertion: NonNullable<ApprovalRecord['assertion']>,
  { public_key: publicKey, batch }: ApprovalRecord,
) => (batch === null ? { assertion, publicKey } : { assertion, publicKey, batch });

type Kind = NonNullable<ApprovalRecord['statement']>['purpose'];

/**
 * Tells what the record is, by the statement that the MAC covers. A record without a statement is an approval that doesn't
 * verify.
 */
export const isOf =
  (...kinds: Kind[]) =>
  ({ statement }: Pick<ApprovalRecord, 'statement'>): boolean =>
    kinds.includes(statement?.purpose ?? 'approve');

/**
 * What the statement says that the record is. Every reader asks for the kind that it reads, so that no other one counts
 * there. A text that isn't the signed one is left out: a denial stays in force without it.
 */
export function toStored(record: ApprovalRecord): StoredGiven {
  const { statement } = record;
  const given = toGiven(record);
  if (statement?.purpose === 'deny') return { ...given, reason: signedReason(record) };
  if (statement?.purpose !== 'deploy' && statement?.purpose !== 'reject') return given;
  const { run, attempt, environment } = statement;
  const decision = statement.purpose === 'deploy' ? 'approve' : 'reject';
  return { ...given, run, attempt, environment, decision, reason: signedReason(record) };
}

export const isApproval = <One extends StoredGiven>(one: One): one is One & StoredApproval =>
  one.run === undefined && one.reason === undefined;
export const isDenial = <One extends StoredGiven>(one: One): one is One & StoredDenial =>
  one.run === undefined && one.reason !== undefined;
export const isDecision = (one: StoredGiven): one is StoredDecision => one.run !== undefined;

function signedReason({ statement, reason }: ApprovalRecord): string {
  const isSigned =
    statement && 'reasonSha256' in statement && statement.reasonSha256 === sha256Base64url(reason);
  return isSigned ? reason : '';
}

/** Finds the decisions about a deployment. */
export const deploymentField = ({ run, attempt, environment }: Omit<DeploymentKey, 'repoId'>): string =>
  `${run} ${attempt} ${environment}`;

function toGiven(record: ApprovalRecord): Omit<StoredApproval, 'reason' | 'run'> {
  return {
    id: record.id,
    orgId: record.org_id,
    repoId: record.repo_id,
    pr: record.pr,
    base: record.base,
    head: record.head,
    githubId: record.user_id,
    login: record.login,
    method: record.method,
    userVerified: record.user_verified,
    deviceBound: record.assertion !== null && isDeviceBound(record.assertion),
    aaguid: record.aaguid,
    modelVerified: record.model_verified,
    fromOutside: record.from_outside,
    at: timeOf(record),
    reported: record.reported !== '',
    statement: record.statement,
    proof: record.assertion && toProof(record.assertion, record),
  };
}

/**
 * Adds a log entry to the list in the record of a pull request's commit. The list is for display and has the
 * newest ones alone: it must never be full, because each approval and withdrawal adds to it.
 */
export function linkToCommit(
  client: StoreClient,
  { repoId, pr, head, org }: { repoId: number; pr: number; head: string; org: string },
): Pick<LoggedChange, 'readLinked' | 'linkEntry'> {
  const id = recordIdOf(`commit:${repoId}:${pr}:${head}`);
  let listed: string[] = [];
  return {
    async readLinked() {
      listed = (await recordsOf(client, 'gh_commits').first({ id }))?.activity_ids ?? [];
    },
    linkEntry(batch, entryId) {
      const activity_ids = [...listed, entryId].slice(-MOST_LISTED);
      batch.collection('gh_commits').upsert({ id, repo_id: repoId, commit: head, pr, org, activity_ids });
    },
  };
}
