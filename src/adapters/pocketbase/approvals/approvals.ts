import type { NewApproval, NewDenial, StoredApprovals } from '../../../approvals/ports.ts';
import type { Effects } from '../../../audit/ports.ts';
import { recordSubject } from '../../../audit/subjects.ts';
import { authenticatorKinds } from '../../../contract/authenticator-kinds.ts';
import type { OwnApprovals } from '../../../inbox/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog, LoggedChange } from '../audit/activity-log.ts';
import { withSubject } from '../audit/effects.ts';
import { createIfNew, isMissing, type StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import {
  type ApprovalRecord,
  isDenial,
  linkToCommit,
  toApproval,
  toDenial,
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
    const valid = found.filter(isValid);
    return {
      valid: valid.filter(isApproval).map(toApproval),
      denials: valid.filter(isDenial).map(toDenial),
      withdrawn: withdrawn.map(({ id, pr, user_id, withdrawal_unreported }) => ({
        id,
        pr,
        githubId: user_id,
        reported: !withdrawal_unreported,
      })),
    };
  };

  /** Null for a duplicate: the same person has already given the same for that head and base in the same way. */
  const store = async (given: NewApproval | NewDenial, effects: Effects) => {
    const last_used = client.clock.now().toISOString();
    const fields = seals.signed('approvals', { id: newRecordId(), ...toFields(given) });
    const { repo, pr, head, org, method, authenticator } = given;
    const logged: LoggedChange = {
      change(batch) {
        batch.collection('approvals').create(fields);
        // Fails if it was removed since the proof was verified, so that nothing is stored after what a lost one made was
        // withdrawn.
        batch.collection(authenticatorKinds[method].collection).update(authenticator, { last_used });
      },
      ...linkToCommit(client, { repoId: repo.id, pr, head, org: org.recordId }),
    };
    try {
      const withEntry = withSubject(effects, recordSubject('approvals', fields.id));
      const checkpoint = await createIfNew(() => log.send(withEntry, logged));
      const stored = {
        ...fields,
        created: last_used,
        reported: '',
        withdrawal_unreported: false,
        withdrawn: '',
      };
      return checkpoint && { stored, checkpoint };
    } catch (error) {
      throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
    }
  };

  return {
    ...createWithdrawals(client, log, seals),

    async add(approval, activity) {
      const added = await store(approval, { activity, notices: [] });
      return added && { approval: toApproval(added.stored), checkpoint: added.checkpoint };
    },

    addDenial: async (denial, effects) => (await store(denial, effects))?.checkpoint ?? null,

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
      const ours = found.filter(isOurs).reverse();
      return {
        approvals: ours
          .filter(isApproval)
          .map((record) => ({ ...toApproval(record), withdrawn: withdrawnAt(record) })),
        denials: ours
          .filter(isDenial)
          .map((record) => ({ ...toDenial(record), withdrawn: withdrawnAt(record) })),
      };
    },

    async unreportedHeads() {
      const options = { sort: 'created' };
      // Two requests: in one, SQLite reads every approval.
      const [valid, withdrawn] = await Promise.all([
        approvals.all([`${UNREPORTED} && withdrawn = ""`], options),
        approvals.all({ withdrawal_unreported: true }, options),
      ]);
      const found = [...withdrawn, ...valid.filter(isDenial), ...valid].filter(isOurs);
      const heads = new Map(found.map((record) => [`${record.repo_id}:${record.head}`, record]));
      return [...heads.values()].map((record) => ({
        repo: toRepository(record),
        repoId: record.repo_id,
        head: record.head,
        orgId: record.org_id,
      }));
    },

    async markReported({ valid, denials, withdrawn }) {
      const isNew = ({ reported }: { reported: boolean }) => !reported;
      const reported = client.clock.now().toISOString();
      const given = [...valid, ...denials].filter(isNew);
      await Promise.all(given.map(({ id }) => approvals.update(id, { reported })));
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
      const wanted = { org_id: orgId, user_id: githubId, denies: false };
      const found = await approvals.page(most, wanted, IN_A_LIST);
      return found.filter(isValid).map(({ repo_id: repoId, pr, head, reported }) => ({
        repoId,
        pr,
        head,
        reported: reported === '' ? null : new Date(reported),
      }));
    },
  };
}

function toFields(approval: NewApproval | NewDenial) {
  const { repo, pr, base, head, org, user } = approval;
  const reason = 'reason' in approval ? approval.reason : '';
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
    reason,
    denies: approval.statement.purpose === 'deny',
  };
}

const isApproval = (record: ApprovalRecord) => !isDenial(record);
const isValid = ({ withdrawn }: ApprovalRecord) => withdrawn === '';
