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
import { forPerson, forSession } from './call.ts';

export const outgoingWebhookCalls = [
  forSession('/organization-hooks', 'organization', outgoingWebhooksRequest, listOutgoingWebhooks),
  forPerson('/set-hook', 'outgoingWebhook', outgoingWebhookChange, setOutgoingWebhook),
  forPerson('/remove-hook', 'revocation', outgoingWebhookRequest, removeOutgoingWebhook),
  forPerson('/test-hook', 'outgoingWebhook', outgoingWebhookRequest, testOutgoingWebhook),
];
