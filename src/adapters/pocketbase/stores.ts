import { createApprovalStores } from './approvals/stores.ts';
import type { StoreDeps } from './audit/activity-log.ts';
import { createFindings } from './audit/effects.ts';
import { createAuthenticatorStores } from './authenticators/stores.ts';
import { createNoticeStores } from './notices/stores.ts';
import { createOrganizationStores } from './organizations/stores.ts';
import { createOutgoingWebhooks } from './outgoing-webhooks/stores.ts';
import { createPeopleStores } from './people/stores.ts';
import { createPolicies } from './policies/stores.ts';
import { createProtectionStores } from './protection/stores.ts';
import { createQuota } from './records/one-time-keys.ts';

/** The stores of all rooms but the log's own. */
export function createStores(deps: StoreDeps) {
  const { client, log, seals } = deps;
  return {
    ...createApprovalStores(deps),
    ...createAuthenticatorStores(deps),
    ...createNoticeStores(client),
    ...createOrganizationStores(client, log),
    ...createPeopleStores(client, log),
    ...createProtectionStores(deps),
    findings: createFindings(log),
    outgoingWebhooks: createOutgoingWebhooks(client, log, deps),
    policies: createPolicies(client, log, seals),
    quota: createQuota(client),
  };
}
