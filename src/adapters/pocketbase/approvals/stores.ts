import type { CommitTrees } from '../../../approvals/approve/ports.ts';
import type { CheckRunRecord, CheckRunRecords, Initiators, Pushers } from '../../../approvals/ports.ts';
import type { ReconcileReports } from '../../../approvals/reconcile/ports.ts';
import type { StoreDeps } from '../audit/activity-log.ts';
import { type StoreClient, storeTime } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';
import { createApprovals, createOwnApprovals } from './approvals.ts';
import { createMergeGroups } from './merge-groups.ts';
import { createOpenPulls } from './open-pulls.ts';
import { createApprovalStatistics, createProvedApprovals } from './proved-approvals.ts';
import { createPullSearch, createWaitingPulls } from './waiting-pulls.ts';
import { createUnheardChanges, createWebhookDeliveries } from './webhook-deliveries.ts';

export const createApprovalStores = ({ client, log, seals }: StoreDeps) => ({
  approvals: createApprovals(client, log, seals),
  ownApprovals: createOwnApprovals(client),
  provedApprovals: createProvedApprovals(client, seals),
  statistics: createApprovalStatistics(client),
  checkRunRecords: createCheckRunRecords(client),
  commitTrees: createCommitTrees(client, seals),
  deliveries: createWebhookDeliveries(client),
  initiators: createInitiators(client, seals),
  mergeGroups: createMergeGroups(client, seals),
  openPulls: createOpenPulls(client),
  pullSearch: createPullSearch(client),
  pushers: createPushers(client, seals),
  reconcileReports: createReconcileReports(client),
  unheardChanges: createUnheardChanges(client),
  waitingPulls: createWaitingPulls(client),
});

function createCommitTrees(client: StoreClient, seals: RecordSeals): CommitTrees {
  const trees = recordsOf(client, 'commit_trees');
  return {
    async save(head, tree) {
      // A commit's hash covers its tree, so another record for it would say the same.
      await trees.createIfNew(seals.signed('commit_trees', { id: recordIdOf(`tree:${head}`), head, tree }));
    },

    async of(head) {
      const found = await trees.first({ head });
      return found && seals.isOurs('commit_trees', found) ? found.tree : null;
    },
  };
}

/** The record store's clock may be ahead by this much. A report that is newer was saved before a clock was set back. */
const SKEW_MS = 60_000;

export function createReconcileReports(client: StoreClient): ReconcileReports {
  const reports = recordsOf(client, 'reconcile_reports');
  return {
    async latest() {
      const until = storeTime(new Date(client.clock.now().getTime() + SKEW_MS));
      const newest = await reports.first(['created <= {:until}', { until }], { sort: '-created' });
      return newest && { at: new Date(newest.created), report: newest.report };
    },
    async save(report) {
      await reports.create({ report });
    },
  };
}

/** GitHub has no account with this id. */
const UNKNOWN = { id: 0, login: '', isMachine: false };

const toPusher = ({ github_id: id, login, is_machine: isMachine }: RecordOf<'pushers'>) =>
  id === UNKNOWN.id ? null : { id, login, isMachine };

function createPushers(client: StoreClient, seals: RecordSeals): Pushers {
  const pushers = recordsOf(client, 'pushers');
  return {
    async add({ repoId, pr, head, by }) {
      const { id: github_id, login, isMachine: is_machine } = by ?? UNKNOWN;
      const id = recordIdOf(`pusher:${repoId}:${pr}:${head}:${github_id}`);
      const fields = { id, repo_id: repoId, pr, head, github_id, login, is_machine };
      await pushers.createIfNew(seals.signed('pushers', fields));
    },

    async of(repoId, pr, head) {
      const found = await pushers.all({ repo_id: repoId, pr, head });
      // A record that OTP Guard didn't write may have replaced a pusher who has to be excluded.
      return found.map((record) => (seals.isOurs('pushers', record) ? toPusher(record) : null));
    },
  };
}

function createInitiators(client: StoreClient, seals: RecordSeals): Initiators {
  const initiators = recordsOf(client, 'initiators');
  return {
    async add({ repoId, pr, person: { id: github_id, login } }) {
      const id = recordIdOf(`initiator:${repoId}:${pr}:${github_id}`);
      await initiators.createIfNew(seals.signed('initiators', { id, repo_id: repoId, pr, github_id, login }));
    },

    async of(repoId, pr) {
      const found = await initiators.all({ repo_id: repoId, pr });
      return found.map((record) =>
        seals.isOurs('initiators', record)
          ? { id: record.github_id, login: record.login, isMachine: false }
          : null,
      );
    },
  };
}

/** Times are our own clock's: the record store's clock can differ. */
export function createCheckRunRecords(client: StoreClient, clock = client.clock): CheckRunRecords {
  const runs = recordsOf(client, 'check_runs');
  return {
    async latest(repoId, head) {
      const latest = await runs.first({ repo_id: repoId, head }, { sort: '-attempt' });
      return latest && toRun(latest);
    },
    async latestOf(repoId, heads) {
      const found = await runs.allOf('head', heads, { repo_id: repoId }, { sort: 'attempt' });
      return new Map(found.map((record) => [record.head, toRun(record)]));
    },
    async attempts(repoId, head) {
      return (await runs.all({ repo_id: repoId, head })).map(toRun);
    },
    async claim(repoId, head, attempt) {
      const since = clock.now().toISOString();
      const made = await runs.createIfNew({ repo_id: repoId, head, attempt, phase: 'creating', since });
      return made && toRun(made);
    },
    async save(run, checkRunId, { phase, fingerprint, mayBeGreen }) {
      const since = clock.now().toISOString();
      const state = { phase, fingerprint, may_be_green: mayBeGreen };
      await runs.update(run.id, { check_run_id: checkRunId ?? 0, ...state, since });
    },
  };
}

function toRun(record: RecordOf<'check_runs'>): CheckRunRecord {
  return {
    id: record.id,
    attempt: record.attempt,
    checkRunId: record.check_run_id || null,
    phase: record.phase,
    fingerprint: record.fingerprint,
    mayBeGreen: record.may_be_green,
    since: new Date(record.since),
  };
}
