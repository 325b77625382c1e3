import { type ActivityLog, createActivityLog } from '../adapters/pocketbase/audit/activity-log.ts';
import { createFindings } from '../adapters/pocketbase/audit/effects.ts';
import { createLogReader } from '../adapters/pocketbase/audit/log-reader.ts';
import { createSigningKeys } from '../adapters/pocketbase/audit/signing-keys.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { createOrganizationStores } from '../adapters/pocketbase/organizations/stores.ts';
import { createLeases } from '../adapters/pocketbase/records/leases.ts';
import { consumeKey } from '../adapters/pocketbase/records/one-time-keys.ts';
import { createRecordSeals } from '../adapters/pocketbase/records/record-seals.ts';
import { createStores } from '../adapters/pocketbase/stores.ts';
import { createOnlyVerified, createVerifiedApprovals } from '../approvals/judge/verify-stored-approval.ts';
import type { SweepTurns } from '../approvals/reconcile/ports.ts';
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
  /** How long a process holds a lease without renewing it; tests shorten it. */
  leaseMs?: number | undefined;
};

/** The ports that the record store implements, by the room that declares them. */
export function connectStore(
  keys: SecretKeys,
  { client, clock, outcomes, leaseMs }: StoreWorld,
  publicUrl: string,
) {
  // The log stores which records are forged, and its own keys are such records: this closes the circle.
  const log: ActivityLog = {
    send: (effects, logged) => activityLog.send(effects, logged),
  };
  const report = createReportForgedRecord({
    ...createOrganizationStores(client, log),
    findings: createFindings(log),
    ...outcomes,
  });
  const seals = createRecordSeals(createRecordMac(keys), report);
  const sealer = createSealer(keys);
  const signingKeys = createSigningKeys(client, sealer, seals);
  const logReader = createLogReader(client, signingKeys);
  const onChanged = outcomes.onLogChanged;
  const activityLog = createActivityLog(client, signingKeys, { publicUrl, onChanged });
  const stores = createStores({ client, log, sealer, seals });
  const onlyVerified = createOnlyVerified(report);
  const leases = createLeases(client, leaseMs);
  const logChecks = createLogChecks({
    recordedLog: logReader,
    organizations: stores.organizations.organizations,
    signingKeys,
    onChangedEntry: ({ id, orgRecordId: recordId }) =>
      report({ collection: 'gh_activities', id, org: { recordId }, reason: 'log' }),
    clock,
  });
  const { approvals, authenticators, ...others } = stores;
  return {
    ...others,
    audit: { auditLog: logReader, findings: stores.audit.findings, logChecks, signingKeys },
    authenticators: {
      ...authenticators,
      ...createTrustedAuthenticators({
        ...authenticators,
        ...stores.organizations,
        ...stores.policies,
        clock,
      }),
      codeAttempts: createQueues<string>(1),
    },
    approvals: { ...approvals, approvals: createVerifiedApprovals(approvals.approvals, onlyVerified) },
    receipts: {
      ...stores.receipts,
      provedApprovals: createVerifiedProofs(stores.receipts.provedApprovals, onlyVerified),
    },
    turns: {
      leases,
      sweepTurns: { during: (work) => leases.during('sweep', work) } satisfies SweepTurns,
      takeOnce: (name: string, until: Date) => consumeKey(client, name, until),
    },
  };
}
