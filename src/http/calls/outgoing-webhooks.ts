import { hookChange, hookRequest, hooksRequest } from '../../contract/outgoing-webhooks.ts';
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
  forSession('/organization-hooks', 'organization', hooksRequest, listOutgoingWebhooks),
  forPerson('/set-hook', 'hook', hookChange, setOutgoingWebhook),
  forPerson('/remove-hook', 'revocation', hookRequest, removeOutgoingWebhook),
  forPerson('/test-hook', 'hook', hookRequest, testOutgoingWebhook),
];
