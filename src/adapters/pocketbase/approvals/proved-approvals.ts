import { recordSubject } from '../../../audit/subjects.ts';
import type { ApprovalStatistics } from '../../../organizations/ports.ts';
import type { ProvedApproval, ProvedApprovals } from '../../../receipts/ports.ts';
import type { LogEntryRecord } from '../audit/log-entry-record.ts';
import { first, type StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { type ApprovalRecord, toApproval } from './approval-record.ts';

type ProvedRecord = ApprovalRecord & { authenticator: string };

type EntryRecord = LogEntryRecord & { subject: string };
type CommitRecord = { repo_id: number; pr: number; expand?: { activity_ids?: EntryRecord[] } };

const APPROVAL = recordSubject('approvals', '');
const isErased = ({ subject, person, event }: EntryRecord) =>
  person === null && subject.startsWith(APPROVAL) && event?.activity !== 'approvalWithdraw';

/** Of one head: more than people can give. */
const MOST_OF_HEAD = 1_000;
const OF_HEAD = 'org_id = {:orgId} && head = {:head}';
// `created` alone is what the index serves; the rest is about those of the same millisecond.
const AFTER = 'created >= {:stored} && (created > {:stored} || id > {:id})';

export function createProvedApprovals(client: StoreClient, seals: RecordSeals): ProvedApprovals {
  const list = async (filter: string, values: Record<string, unknown>, sort: string, most: number) => {
    const found = await client.run((records) =>
      records.collection('approvals').getList<ProvedRecord>(1, most, {
        filter: records.filter(filter, values),
        sort,
        skipTotal: true,
      }),
    );
    return found.items;
  };
  const onlyOurs = (found: ProvedRecord[]) =>
    found.filter((record) => seals.isOurs('approvals', record)).map(toProved);

  return {
    ofHead: async (orgId, head) =>
      onlyOurs(
        // Those that count come first: nobody can push them out by approving and withdrawing often.
        await list(OF_HEAD, { orgId, head }, 'withdrawn,-created,-id', MOST_OF_HEAD),
      ),

    async erasedOf(org, head) {
      const found = await client.run((records) =>
        records.collection('gh_commits').getList<CommitRecord>(1, MOST_OF_HEAD, {
          filter: records.filter('commit = {:head} && org = {:org}', { head, org }),
          expand: 'activity_ids',
          skipTotal: true,
        }),
      );
      return found.items.flatMap(({ repo_id: repoId, pr, expand }) =>
        (expand?.activity_ids ?? []).filter(isErased).map(({ subject, event }) => ({
          id: subject.slice(APPROVAL.length),
          repoId,
          repo: String(event?.data.repo ?? ''),
          pr,
        })),
      );
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
      const found = await list(conditions.join(' && '), values, 'created,id', most + 1);
      const page = found.slice(0, most);
      const last = page.at(-1);
      const next = found.length > most && last ? { stored: new Date(last.created), id: last.id } : null;
      return { approvals: onlyOurs(page), next };
    },

    async repositoryNamed(orgId, name) {
      const found = await client.run((records) =>
        first<ProvedRecord>(
          records,
          'approvals',
          'org_id = {:orgId} && repo_name:lower = {:name}',
          { orgId, name: name.toLowerCase() },
          { sort: '-created' },
        ),
      );
      return found && seals.isOurs('approvals', found) ? found.repo_id : null;
    },
  };
}

function toProved(record: ProvedRecord): ProvedApproval {
  // `withdrawn` begins with the time, and the MAC covers it.
  const [withdrawn = ''] = record.withdrawn.split(' ');
  return {
    ...toApproval(record),
    authenticator: record.authenticator,
    stored: new Date(record.created),
    withdrawn: withdrawn === '' ? null : new Date(withdrawn),
  };
}

type DayRecord = { day: string; approvals: number; seconds: string };

/** Counts every approval that was given, withdrawn ones too. */
export function createApprovalStatistics(client: StoreClient): ApprovalStatistics {
  return {
    async days(orgId) {
      const found = await client.run((records) =>
        records.collection('approval_days').getList<DayRecord>(1, 50, {
          filter: records.filter('org_id = {:orgId}', { orgId }),
          sort: 'day',
          skipTotal: true,
        }),
      );
      return found.items
        .filter(({ approvals }) => approvals > 0)
        .map(({ day, approvals, seconds }) => ({
          day,
          approvals,
          seconds: seconds === '' ? [] : seconds.split(',').map(Number),
        }));
    },
  };
}
