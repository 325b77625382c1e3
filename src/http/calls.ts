import { approvalCalls } from './calls/approvals.ts';
import { authenticatorCalls } from './calls/authenticators.ts';
import { inboxCalls } from './calls/inbox.ts';
import { organizationCalls } from './calls/organizations.ts';
import { outgoingWebhookCalls } from './calls/outgoing-webhooks.ts';
import { peopleCalls } from './calls/people.ts';
import { policyCalls } from './calls/policies.ts';
import { receiptCalls } from './calls/receipts.ts';

/** Every product call, room by room. Each accepts a form or JSON, and needs a session. */
export const calls = [
  ...peopleCalls,
  ...organizationCalls,
  ...policyCalls,
  ...authenticatorCalls,
  ...approvalCalls,
  ...receiptCalls,
  ...inboxCalls,
  ...outgoingWebhookCalls,
];
