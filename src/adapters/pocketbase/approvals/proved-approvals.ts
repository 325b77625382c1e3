import { recordSubject } from '../../../audit/subjects.ts';
import { authenticatorKinds, authenticatorTypes } from '../../../contract/authenticator-kinds.ts';
import type { ApprovalStatistics } from '../../../organizations/ports.ts';
import type { ProvedApproval, StoredProofs } from '../../../receipts/ports.ts';
import type { LogEntryRecord } from '../audit/log-entry-record.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { type ApprovalRecord, toStored, withdrawnAt } from './approval-record.ts';

const APPROVAL = recordSubject('approvals', '');
/** The entries with which an approval, a denial or a decision was stored. */
const DENIED: string[] = authenticatorTypes.map((type) => authenticatorKinds[type].deny);
const GIVEN: string[] = authenticatorTypes.flatMap((type) => {
  const { approve, deny, deploy, reject } = authenticatorKinds[type];
  return [approve, deny, deploy, reject];
});
const isErased = ({ subject, person, event }: LogEntryRecord) =>
  person === null && subject.startsWith(APPROVAL) && GIVEN.includes(event?.activity ?? '');

/** At most this many approvals of one head are read: more than people can give. */
const MOST_OF_HEAD = 1_000;
// `created` alone is what the index serves; the rest is about those of the same millisecond.
const AFTER = 'created >= {:stored} && (created > {:stored} || id > {:id})';

export function createProvedApprovals(client: StoreClient, seals: RecordSeals): StoredProofs {
  const approvals = recordsOf(client, 'approvals');
  const onlyOurs = (records: ApprovalRecord[]) =>
    records.filter((record) => seals.isOurs('approvals', record)).map(toProved);

  return {
    ofHead: async (orgId, head) =>
      onlyOurs(
        // Approvals in force come first, so that nobody can push them out by approving and withdrawing often, nor by many
        // runs of one commit.
        await approvals.page(MOST_OF_HEAD, { org_id: orgId, head }, { sort: 'withdrawn,kind,-created,-id' }),
      ),

    async erasedOf(org, head) {
      const entries = recordsOf<LogEntryRecord>(client, 'gh_activities');
      const found = await entries.all(['org = {:org} && data.sha = {:head}', { org, head }]);
      return found.filter(isErased).map(({ subject, event }) => ({
        id: subject.slice(APPROVAL.length),
        denies: DENIED.includes(event?.activity ?? ''),
        repoId: Number(event?.facts.repoId),
        repo: String(event?.data.repo ?? ''),
        pr: Number(event?.data.pr ?? 0),
      }));
    },

    async inPeriod({ orgId, repoId, from, to, after, most }) {
      const conditions = [
        'org_id = {:orgId}',
        ...(repoId === undefined ? [] : ['repo_id = {:repoId}']),
        ...(from ? ['created >= {:from}'] : []),
        ...(to ? ['created <= {:to}'] : []),
        ...(after ? [AFTER] : []),
      ];
      const values = { orgId, repoId, from, to, ...after };
      const sort = 'created,id';
      const found = await approvals.page(most + 1, [conditions.join(' && '), values], { sort });
      const page = found.slice(0, most);
      const last = page.at(-1);
      const next = found.length > most && last ? { stored: new Date(last.created), id: last.id } : null;
      return { approvals: onlyOurs(page), next };
    },

    async repositoryNamed(orgId, name) {
      const found = await approvals.first(
        ['org_id = {:orgId} && repo_name:lower = {:name}', { orgId, name: name.toLowerCase() }],
        { sort: '-created' },
      );
      return found && seals.isOurs('approvals', found) ? found.repo_id : null;
    },
  };
}

function toProved(record: ApprovalRecord): ProvedApproval {
  return {
    ...toStored(record),
    authenticator: record.authenticator,
    stored: new Date(record.created),
    withdrawn: withdrawnAt(record),
  };
}

type DayRecord = { org_id: number; day: string; approvals: number; seconds: string };

/** Counts every approval that was given, withdrawn ones too. */
export function createApprovalStatistics(client: StoreClient): ApprovalStatistics {
  const all = recordsOf<DayRecord>(client, 'approval_days');
  return {
    async days(orgId) {
      const found = await all.page(50, { org_id: orgId }, { sort: 'day' });
      return found
        .filter(({ approvals }) => approvals > 0)
        .map(({ day, approvals, seconds }) => ({
          day,
          approvals,
          seconds: seconds === '' ? [] : seconds.split(',').map(Number),
        }));
    },
  };
}
