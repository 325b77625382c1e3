import type { StoredApprovals } from '../../../approvals/ports.ts';
import type { OwnApprovals } from '../../../inbox/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordsOf, toRepository } from '../records/records-of.ts';
import {
  type ApprovalRecord,
  deploymentField,
  isApproval,
  isDecision,
  isDenial,
  isOf,
  toStored,
  withdrawnAt,
} from './approval-record.ts';
import { createStoreGiven } from './store-given.ts';
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
    const found = all.filter((record) => isOfHead(record) && isOurs(record));
    const withdrawn = found.filter((record) => !isValid(record));
    const valid = found.filter(isValid).map(toStored);
    return {
      valid: valid.filter(isApproval),
      denials: valid.filter(isDenial),
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

    add: createStoreGiven(client, log, seals),

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
      const given = ours.map((record) => ({ ...toStored(record), withdrawn: withdrawnAt(record) }));
      return { approvals: given.filter(isApproval), denials: given.filter(isDenial) };
    },

    async ofDeployment(key) {
      const wanted = { deployment: deploymentField(key), repo_id: key.repoId, withdrawn: '' };
      const found = await approvals.all(wanted, { sort: OLDEST_FIRST });
      const decisions = found.filter(isOurs).map(toStored).filter(isDecision);
      // The field that finds them isn't covered by the MAC.
      return decisions.filter((decision) => deploymentField(decision) === deploymentField(key));
    },

    async unreportedHeads() {
      const options = { sort: 'created' };
      // Two requests: in one, SQLite reads every approval.
      const [valid, withdrawn] = await Promise.all([
        approvals.all([`${UNREPORTED} && withdrawn = ""`], options),
        approvals.all({ withdrawal_unreported: true }, options),
      ]);
      const found = [...withdrawn, ...valid.filter(isOf('deny')), ...valid];
      const ours = found.filter((record) => isOfHead(record) && isOurs(record));
      const heads = new Map(ours.map((record) => [`${record.repo_id}:${record.head}`, record]));
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
      const wanted = { org_id: orgId, user_id: githubId, kind: '' };
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

/** Tells whether the record is about a head, whichever pull requests have it. */
const isOfHead = isOf('approve', 'deny');
const isValid = ({ withdrawn }: ApprovalRecord) => withdrawn === '';
