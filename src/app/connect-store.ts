import { createApprovalStores } from '../adapters/pocketbase/approvals/stores.ts';
import type { ActivityLog } from '../adapters/pocketbase/audit/activity-log.ts';
import { createFindings } from '../adapters/pocketbase/audit/effects.ts';
import { createAuditStores } from '../adapters/pocketbase/audit/stores.ts';
import { createAuthenticatorStores } from '../adapters/pocketbase/authenticators/stores.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { createNoticeStores } from '../adapters/pocketbase/notices/stores.ts';
import { createOrganizationStores } from '../adapters/pocketbase/organizations/stores.ts';
import { createKnownAccounts, createWeakenings } from '../adapters/pocketbase/organizations/weakenings.ts';
import { createOutgoingWebhooks } from '../adapters/pocketbase/outgoing-webhooks/stores.ts';
import { createPeopleStores } from '../adapters/pocketbase/people/stores.ts';
import { createPolicies } from '../adapters/pocketbase/policies/stores.ts';
import { createLeases } from '../adapters/pocketbase/records/leases.ts';
import { consumeKey, createQuota } from '../adapters/pocketbase/records/one-time-keys.ts';
import { createRecordSeals } from '../adapters/pocketbase/records/record-seals.ts';
import { createOnlyVerified, createVerifiedApprovals } from '../approvals/judge/verify-stored-approval.ts';
import type { SweepTurns } from '../approvals/ports.ts';
import { createLogChecks } from '../audit/check-log.ts';
import { createSealer } from '../authenticators/seal.ts';
import { createTrustedAuthenticators } from '../authenticators/trusted-authenticators.ts';
import { createReportForgedRecord } from '../organizations/report-forged-record.ts';
import { createVerifiedProofs } from '../receipts/issue-receipts.ts';
import type { Clock } from '../shared/clock.ts';
import { createRecordMac, type SecretKeys } from '../shared/crypto.ts';
import { createQueues } from '../shared/queues.ts';
import type { OutcomeLog } from './outcome-log.ts';

type StoreWorld = {
  client: StoreClient;
  clock: Clock;
  outcomes: Pick<OutcomeLog, 'onForgedRecord' | 'onUnreported' | 'onLogChanged'>;
  /** For which a process holds a lease without renewing it; tests shorten it. */
  leaseMs?: number | undefined;
};

/** The ports that the record store implements. */
export function connectStore(
  keys: SecretKeys,
  { client, clock, outcomes, leaseMs }: StoreWorld,
  publicUrl: string,
) {
  // The log stores which records are forged, and its own keys are such records: this closes the circle.
  const log: ActivityLog = {
    send: (effects, logged) => activityLog.send(effects, logged),
  };
  const organizationStores = createOrganizationStores(client, log);
  const { organizations } = organizationStores;
  const findings = createFindings(log);
  const report = createReportForgedRecord({
    ...organizationStores,
    findings,
    ...outcomes,
  });
  const seals = createRecordSeals(createRecordMac(keys), report);
  const sealer = createSealer(keys);
  const { activityLog, logReader, signingKeys } = createAuditStores(client, {
    sealer,
    seals,
    publicUrl,
    onChanged: outcomes.onLogChanged,
  });
  const deps = { client, log, sealer, seals };
  const onlyVerified = createOnlyVerified(report);
  const policies = createPolicies(client, log, seals);
  const approvalStores = createApprovalStores(deps);
  const authenticatorStores = createAuthenticatorStores(deps);
  const trusted = createTrustedAuthenticators({ ...authenticatorStores, organizations, policies, clock });
  const leases = createLeases(client, leaseMs);
  const logChecks = createLogChecks({
    recordedLog: logReader,
    organizations,
    signingKeys,
    onChangedEntry: ({ id, orgRecordId: recordId }) =>
      report({ collection: 'gh_activities', id, org: { recordId }, reason: 'log' }),
    clock,
  });
  return {
    ...approvalStores,
    approvals: createVerifiedApprovals(approvalStores.approvals, onlyVerified),
    provedApprovals: createVerifiedProofs(approvalStores.provedApprovals, onlyVerified),
    ...authenticatorStores,
    credentials: { ...authenticatorStores.credentials, list: trusted.list },
    totpApps: { ...authenticatorStores.totpApps, find: trusted.find },
    ...createNoticeStores(client),
    ...organizationStores,
    weakenings: createWeakenings(client, log, seals),
    knownAccounts: createKnownAccounts(client),
    ...createPeopleStores(client, log),
    findings,
    policies,
    outgoingWebhooks: createOutgoingWebhooks(client, log, { sealer, seals }),
    checkpoints: logReader,
    log: logReader,
    logChecks,
    signingKeys,
    codeAttempts: createQueues<string>(1),
    leases,
    quota: createQuota(client),
    sweepTurns: { during: (work) => leases.during('sweep', work) } satisfies SweepTurns,
    takeOnce: (name: string, until: Date) => consumeKey(client, name, until),
  };
}
