import { approvalCalls } from './calls/approvals.ts';
import { authenticatorCalls } from './calls/authenticators.ts';
import { deploymentCalls } from './calls/deployments.ts';
import { inboxCalls } from './calls/inbox.ts';
import { organizationCalls } from './calls/organizations.ts';
import { outgoingWebhookCalls } from './calls/outgoing-webhooks.ts';
import { peopleCalls } from './calls/people.ts';
import { policyCalls } from './calls/policies.ts';
import { protectionCalls } from './calls/protection.ts';
import { receiptCalls } from './calls/receipts.ts';

/** What the use cases behind the calls of each room need. */
export type CallRooms = {
  people: Parameters<typeof peopleCalls>[0];
  organizations: Parameters<typeof organizationCalls>[0];
  protection: Parameters<typeof protectionCalls>[0];
  policies: Parameters<typeof policyCalls>[0];
  authenticators: Parameters<typeof authenticatorCalls>[0];
  approvals: Parameters<typeof approvalCalls>[0];
  deployments: Parameters<typeof deploymentCalls>[0];
  receipts: Parameters<typeof receiptCalls>[0];
  inbox: Parameters<typeof inboxCalls>[0];
  outgoingWebhooks: Parameters<typeof outgoingWebhookCalls>[0];
};

/** Every product call, room by room. Each accepts a form or JSON, and needs a session. */
export const listCalls = (rooms: CallRooms) => [
  ...peopleCalls(rooms.people),
  ...organizationCalls(rooms.organizations),
  ...protectionCalls(rooms.protection),
  ...policyCalls(rooms.policies),
  ...authenticatorCalls(rooms.authenticators),
  ...approvalCalls(rooms.approvals),
  ...deploymentCalls(rooms.deployments),
  ...receiptCalls(rooms.receipts),
  ...inboxCalls(rooms.inbox),
  ...outgoingWebhookCalls(rooms.outgoingWebhooks),
];
