import type { NewApproval, StoredApprovals } from '../../../approvals/ports.ts';
import { recordSubject } from '../../../audit/subjects.ts';
import { authenticatorKinds } from '../../../contract/authenticator-kinds.ts';
import type { OwnApprovals } from '../../../inbox/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog, LoggedChange } from '../audit/activity-log.ts';
import { createIfNew, isMissing, type StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import {
  type ApprovalRecord,
  linkToCommit,
  toApproval,
  toRepository,
  withdrawnAt,
} from './approval-record.ts';
import { createWithdrawals } from './withdrawals.ts';

/** The filter for an empty `reported`. PocketBase adds "or null" to `= ""`, which no index serves. */
const UNREPORTED = 'reported < "1"';

const OLDEST_FIRST = 'created,id';

/** More approvals of one pull request aren't shown. */
const MOST_OF_PULL = 50;

export function createApprovals(client: StoreClient, log: ActivityLog, seals: RecordSeals): StoredApprovals {
  const isOurs = (record: ApprovalRecord) => seals.isOurs('approvals', record);
  const approvals = recordsOf(client, 'approvals');
  const toHeadApprovals = (all: ApprovalRecord[]) => {
    const found = all.filter(isOurs);
    const withdrawn = found.filter((record) => !isValid(record));
    return {
      valid: found.filter(isValid).map(toApproval),
      withdrawn: withdrawn.map(({ id, pr, user_id, withdrawal_unreported }) => ({
        id,
        pr,
        githubId: user_id,
        reported: !withdrawal_unreported,
      })),
    };
  };

  return {
    ...createWithdrawals(client, log, seals),

    async add(approval, activity) {
      const last_used = client.clock.now().toISOString();
      const fields = seals.signed('approvals', { id: newRecordId(), ...toFields(approval) });
      const { repo, pr, head, org, method, authenticator } = approval;
      const effects = {
        activity: { ...activity, subject: recordSubject('approvals', fields.id) },
        notices: [],
      };
      const logged: LoggedChange = {
        change(batch) {
          batch.collection('approvals').create(fields);
          // Fails if it was removed since the proof was verified, so that no approval is stored after a lost one's were
          // withdrawn.
          batch.collection(authenticatorKinds[method].collection).update(authenticator, { last_used });
        },
        ...linkToCommit(client, { repoId: repo.id, pr, head, org: org.recordId }),
      };
      try {
        // A duplicate: the same person has already approved the same head into the same base in the same way.
        const checkpoint = await createIfNew(() => log.send(effects, logged));
        const stored = {
          ...fields,
          created: last_used,
          reported: '',
          withdrawal_unreported: false,
          withdrawn: '',
        };
        return checkpoint && { approval: toApproval(stored), checkpoint };
      } catch (error) {
        throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
      }
    },

    async ofHead(repoId, head) {
      return toHeadApprovals(await approvals.all({ repo_id: repoId, head }, { sort: OLDEST_FIRST }));
    },

    async ofHeads(repoId, heads) {
      const found = await approvals.allOf('head', heads, { repo_id: repoId }, { sort: OLDEST_FIRST });
      return new Map(
        heads.map((head) => [head, toHeadApprovals(found.filter((record) => record.head === head))]),
      );
    },

    async ofPull(repoId, pr) {
      const found = await approvals.page(MOST_OF_PULL, { repo_id: repoId, pr }, { sort: '-created,-id' });
      return found
        .filter(isOurs)
        .map((record) => ({ ...toApproval(record), withdrawn: withdrawnAt(record) }))
        .reverse();
    },

    async unreportedHeads() {
      const options = { sort: 'created' };
      // Two requests: in one, SQLite reads every approval.
      const [valid, withdrawn] = await Promise.all([
        approvals.all([`${UNREPORTED} && withdrawn = ""`], options),
        approvals.all({ withdrawal_unreported: true }, options),
      ]);
      const found = [...withdrawn, ...valid].filter(isOurs);
      const heads = new Map(found.map((record) => [`${record.repo_id}:${record.head}`, record]));
      return [...heads.values()].map((record) => ({
        repo: toRepository(record),
        repoId: record.repo_id,
        head: record.head,
        orgId: record.org_id,
      }));
    },

    async markReported({ valid, withdrawn }) {
      const isNew = ({ reported }: { reported: boolean }) => !reported;
      const reported = client.clock.now().toISOString();
      await Promise.all(valid.filter(isNew).map(({ id }) => approvals.update(id, { reported })));
      const shown = { withdrawal_unreported: false };
      await Promise.all(withdrawn.filter(isNew).map(({ id }) => approvals.update(id, shown)));
    },
  };
}

/** Leaves out the proofs, which are most of an approval. */
const IN_A_LIST = { sort: '-created,-id', fields: 'repo_id,pr,head,reported,withdrawn' };

export function createOwnApprovals(client: StoreClient): OwnApprovals {
  const approvals = recordsOf(client, 'approvals');
  return {
    async newest(orgId, githubId, most) {
      const found = await approvals.page(most, { org_id: orgId, user_id: githubId }, IN_A_LIST);
      return found.filter(isValid).map(({ repo_id: repoId, pr, head, reported }) => ({
        repoId,
        pr,
        head,
        reported: reported === '' ? null : new Date(reported),
      }));
    },
  };
}

function toFields(approval: NewApproval) {
  const { repo, pr, base, head, org, user } = approval;
  return {
    repo_id: repo.id,
    pr,
    base,
    head,
    user_id: user.id,
    login: user.login,
    org_id: org.id,
    installation_id: repo.installation,
    repo_name: `${repo.owner}/${repo.name}`,
    method: approval.method,
    user_verified: approval.userVerified,
    statement: approval.statement,
    assertion: approval.proof?.assertion ?? null,
    public_key: approval.proof?.publicKey ?? '',
    batch: approval.proof?.batch ?? null,
    authenticator: approval.authenticator,
    aaguid: approval.aaguid,
    model_verified: approval.modelVerified,
    from_outside: approval.fromOutside,
    opened: approval.opened.toISOString(),
  };
}

const isValid = ({ withdrawn }: ApprovalRecord) => withdrawn === '';
