import {
  outgoingWebhookChange,
  outgoingWebhookRequest,
  outgoingWebhooksRequest,
} from '../../contract/outgoing-webhooks.ts';
import {
  listOutgoingWebhooks,
  removeOutgoingWebhook,
  setOutgoingWebhook,
} from '../../outgoing-webhooks/set-outgoing-webhook.ts';
import { type TestOutgoingDeps, testOutgoingWebhook } from '../../outgoing-webhooks/test-outgoing-webhook.ts';
import { callsWith } from './call.ts';

export type OutgoingWebhookCallDeps = TestOutgoingDeps;

const { forSession, forPerson } = callsWith<OutgoingWebhookCallDeps>();

export const outgoingWebhookCalls = [
  forSession('/organization-hooks', 'organization', outgoingWebhooksRequest, listOutgoingWebhooks),
  forPerson('/set-hook', 'hook', outgoingWebhookChange, setOutgoingWebhook),
  forPerson('/remove-hook', 'revocation', outgoingWebhookRequest, removeOutgoingWebhook),
  forPerson('/test-hook', 'hook', outgoingWebhookRequest, testOutgoingWebhook),
];
