import type { InboxDeps } from '../inbox/deps.ts';
import type { HealthDeps } from '../organizations/organization-health.ts';
import type { OutgoingWebhookDeps } from '../outgoing-webhooks/set-outgoing-webhook.ts';
import type { Queues } from '../shared/queues.ts';
import { type ApprovalCallDeps, approvalCalls } from './calls/approvals.ts';
import { type AuthenticatorCallDeps, authenticatorCalls } from './calls/authenticators.ts';
import type { Call, CallerDeps } from './calls/call.ts';
import { inboxCalls } from './calls/inbox.ts';
import { organizationCalls } from './calls/organizations.ts';
import { outgoingWebhookCalls } from './calls/outgoing-webhooks.ts';
import { peopleCalls } from './calls/people.ts';
import { type PolicyCallDeps, policyCalls } from './calls/policies.ts';
import { type ReceiptCallDeps, receiptCalls } from './calls/receipts.ts';
import type { LimitDeps } from './limits.ts';

export type CallDeps = CallerDeps &
  LimitDeps &
  HealthDeps &
  PolicyCallDeps &
  AuthenticatorCallDeps &
  ApprovalCallDeps &
  ReceiptCallDeps &
  InboxDeps &
  OutgoingWebhookDeps & { newHeads: Pick<Queues<number>, 'yieldTo'> };

/** Every product call, room by room. Each accepts a form or JSON, and needs a session. */
export const calls: Call<CallDeps>[] = [
  ...peopleCalls,
  ...organizationCalls,
  ...policyCalls,
  ...authenticatorCalls,
  ...approvalCalls,
  ...receiptCalls,
  ...inboxCalls,
  ...outgoingWebhookCalls,
];
