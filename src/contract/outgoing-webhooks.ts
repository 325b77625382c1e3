import { z } from 'zod';
import { organizationFields } from './fields.ts';

/** The outgoing webhooks of an organization: at most one of each kind. */
export const outgoingWebhookKinds = ['webhook', 'slack'] as const;
export type OutgoingWebhookKind = (typeof outgoingWebhookKinds)[number];

const kind = z.enum(outgoingWebhookKinds, { error: 'Choose a webhook or Slack.' });

/** `POST /organization-hooks`: for owners. */
export const outgoingWebhooksRequest = z.object({ orgID: organizationFields.orgID });

/** `POST /set-hook`: for owners; replaces the one of this kind, its secret too. */
export const outgoingWebhookChange = z.object({
  ...organizationFields,
  kind,
  url: z.string({ error: 'Enter an address.' }).max(2_000, { error: 'This address is too long.' }),
});

/** `POST /remove-hook` and `POST /test-hook`: for owners. */
export const outgoingWebhookRequest = z.object({ ...organizationFields, kind });

/**
 * The outcome of a try. `unreachable`: no connection was made to a public address, or no answer came in time.
 * Nothing else about the receiver gets out, so that an outgoing webhook can't look into our network.
 */
export type OutgoingWebhookOutcome =
  | { result: 'answered'; status: number }
  | { result: 'certificate' }
  | { result: 'unreachable' };

/** The last try, with the time when it began (RFC 3339). */
export type OutgoingWebhookTry = { at: string; outcome: OutgoingWebhookOutcome };

/** An outgoing webhook, without its address and secret: nobody sees those again. */
export type OutgoingWebhookAnswer = {
  kind: OutgoingWebhookKind;
  /** The host name of its address. */
  host: string;
  last: OutgoingWebhookTry | null;
  /** Since when no delivery succeeds; null if the last one did. */
  failingSince: string | null;
  /** The time of the next try, if the last one failed. */
  nextTry: string | null;
  /** It failed for a week, and gets nothing until an owner sets it again. */
  stopped: boolean;
};

/** `POST /organization-hooks` */
export type OutgoingWebhooksAnswer = { hooks: OutgoingWebhookAnswer[] };

/** `secret` signs the deliveries. This answer is the only one with it; Slack has none. */
export type OutgoingWebhookChangeAnswer = { hook: OutgoingWebhookAnswer; secret: string | null };

/** `POST /test-hook` */
export type OutgoingWebhookTestAnswer = { last: OutgoingWebhookTry };
