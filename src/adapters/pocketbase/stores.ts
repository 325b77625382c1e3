import { createApprovalStores } from './approvals/stores.ts';
import type { StoreDeps } from './audit/activity-log.ts';
import { createFindings } from './audit/effects.ts';
import { createAuthenticatorStores } from './authenticators/stores.ts';
import { createDeployments } from './deployments/stores.ts';
import { createInboxStores } from './inbox/stores.ts';
import { createNotices } from './notices/notices.ts';
import { createOrganizationStores } from './organizations/stores.ts';
import { createOutgoingWebhooks } from './outgoing-webhooks/stores.ts';
import { createPeopleStores } from './people/stores.ts';
import { createPolicies } from './policies/stores.ts';
import { createProtectionStores } from './protection/stores.ts';
import { createQuota } from './records/one-time-keys.ts';

/** The stores of all rooms but the log's own, by the room that declares their ports. */
export function createStores(deps: StoreDeps) {
  const { client, log, seals } = deps;
  const { enrolments, ...authenticators } = createAuthenticatorStores(deps);
  const { ownApprovals, provedApprovals, pullSearch, statistics, waitingPulls, ...approvals } =
    createApprovalStores(deps);
  const { candidates, ...organizations } = createOrganizationStores(client, log);
  return {
    notices: { notices: createNotices(client) },
    audit: { findings: createFindings(log) },
    people: { ...createPeopleStores(client, log), quota: createQuota(client) },
    organizations: { ...organizations, pullSearch, statistics },
    protection: createProtectionStores(deps),
    policies: { policies: createPolicies(client, log, seals) },
    authenticators,
    approvals,
    deployments: { deployments: createDeployments(deps) },
    receipts: { enrolments, provedApprovals },
    inbox: { ...createInboxStores(client), candidates, ownApprovals, waitingPulls },
    outgoingWebhooks: { outgoingWebhooks: createOutgoingWebhooks(client, log, deps) },
  };
}
