import type { StoreDeps } from '../audit/activity-log.ts';
import { createApprovals } from './approvals.ts';
import { createCheckRunRecords } from './check-run-records.ts';
import { createCommitTrees } from './commit-trees.ts';
import { createMergeGroups } from './merge-groups.ts';
import { createOpenPulls } from './open-pulls.ts';
import { createApprovalStatistics, createProvedApprovals } from './proved-approvals.ts';
import { createPushers } from './pushers.ts';
import { createReconcileReports } from './reconcile-reports.ts';
import { createPullSearch, createWaitingPulls } from './waiting-pulls.ts';
import { createUnheardChanges, createWebhookDeliveries } from './webhook-deliveries.ts';

export const createApprovalStores = ({ client, log, seals }: StoreDeps) => ({
  approvals: createApprovals(client, log, seals),
  provedApprovals: createProvedApprovals(client, seals),
  statistics: createApprovalStatistics(client),
  checkRunRecords: createCheckRunRecords(client),
  commitTrees: createCommitTrees(client, seals),
  deliveries: createWebhookDeliveries(client),
  mergeGroups: createMergeGroups(client, seals),
  openPulls: createOpenPulls(client),
  pullSearch: createPullSearch(client),
  pushers: createPushers(client, seals),
  reconcileReports: createReconcileReports(client),
  unheardChanges: createUnheardChanges(client),
  waitingPulls: createWaitingPulls(client),
});
