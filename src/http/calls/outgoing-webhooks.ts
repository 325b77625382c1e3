import {
  outgoingWebhookChange,
  outgoingWebhookRequest,
  outgoingWebhooksRequest,
} from '../../contract/outgoing-webhooks.ts';
import {
  listOutgoingWebhooks,
  removeOutgoingWebhook,
  setOutgoingWebhook,
  testOutgoingWebhook,
} from '../../outgoing-webhooks/set-outgoing-webhook.ts';
import { aboutOrg, forPerson, forSession } from './call.ts';

export const outgoingWebhookCalls = [
  forSession('/organization-hooks', 'organization', aboutOrg, outgoingWebhooksRequest, listOutgoingWebhooks),
  forPerson('/set-hook', 'outgoingWebhook', aboutOrg, outgoingWebhookChange, setOutgoingWebhook),
  forPerson('/remove-hook', 'revocation', aboutOrg, outgoingWebhookRequest, removeOutgoingWebhook),
  forPerson('/test-hook', 'outgoingWebhook', aboutOrg, outgoingWebhookRequest, testOutgoingWebhook),
];
