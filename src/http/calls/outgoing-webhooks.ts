import {
  outgoingWebhookChange,
  outgoingWebhookRequest,
  outgoingWebhooksRequest,
} from '../../contract/outgoing-webhooks.ts';
import type { OutgoingWebhookDeps } from '../../outgoing-webhooks/deps.ts';
import {
  listOutgoingWebhooks,
  removeOutgoingWebhook,
  setOutgoingWebhook,
  testOutgoingWebhook,
} from '../../outgoing-webhooks/set-outgoing-webhook.ts';
import { aboutOrg, callsOf, forPerson, forSession } from './call.ts';

export const outgoingWebhookCalls = callsOf<OutgoingWebhookDeps>([
  forSession('/organization-hooks', 'organization', aboutOrg, outgoingWebhooksRequest, listOutgoingWebhooks),
  forPerson('/set-hook', 'outgoingWebhook', aboutOrg, outgoingWebhookChange, setOutgoingWebhook),
  forPerson('/remove-hook', 'revocation', aboutOrg, outgoingWebhookRequest, removeOutgoingWebhook),
  forPerson('/test-hook', 'outgoingWebhook', aboutOrg, outgoingWebhookRequest, testOutgoingWebhook),
]);
