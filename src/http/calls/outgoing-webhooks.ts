import { hookChange, hookRequest, hooksRequest } from '../../contract/outgoing-webhooks.ts';
import { listHooks, removeHook, setHook } from '../../outgoing-webhooks/set-hook.ts';
import { type TestHookDeps, testHook } from '../../outgoing-webhooks/test-hook.ts';
import { callsWith } from './call.ts';

export type OutgoingWebhookCallDeps = TestHookDeps;

const { forSession, forPerson } = callsWith<OutgoingWebhookCallDeps>();

export const outgoingWebhookCalls = [
  forSession('/organization-hooks', 'organization', hooksRequest, listHooks),
  forPerson('/set-hook', 'hook', hookChange, setHook),
  forPerson('/remove-hook', 'revocation', hookRequest, removeHook),
  forPerson('/test-hook', 'hook', hookRequest, testHook),
];
