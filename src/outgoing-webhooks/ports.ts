import type { Effects } from '../audit/ports.ts';
import type { OutgoingWebhookKind, OutgoingWebhookOutcome } from '../contract/outgoing-webhooks.ts';

/** The events that an outgoing webhook got so far, and how the last try went. */
export type DeliveryState = {
  /** The number of the last entry of the log that was delivered. */
  position: number;
  /** Heads that wait since then are delivered, except those in `delivered`. It only grows. */
  pullsFrom: Date;
  delivered: { key: string; since: string }[];
  /** How often the next delivery failed. */
  tries: number;
  /** Since when no delivery succeeds; null if the last one did. */
  failingSince: Date | null;
  due: Date;
  /** `at` is when the try began. */
  last: { at: Date; outcome: OutgoingWebhookOutcome } | null;
};

/** An organization's outgoing webhook. Its address and secret stay sealed until `open`. */
export type OutgoingWebhook = {
  /** Its record id. Setting it again makes another one. */
  id: string;
  org: { id: string; orgId: number; name: string; installationId: number };
  kind: OutgoingWebhookKind;
  /** The host name of its address. */
  host: string;
  /** It failed for a week. */
  stopped: boolean;
  state: DeliveryState;
};

/** An outgoing webhook that was due when the list was read. */
export type Due = Pick<OutgoingWebhook, 'id' | 'org' | 'kind'>;

type NewOutgoingWebhook = {
  kind: OutgoingWebhookKind;
  url: string;
  host: string;
  /** Empty for Slack. */
  secret: string;
  /** The size of the log now: later entries are delivered. */
  position: number;
  at: Date;
};

/** Where it delivers, and the key of its signatures. */
export type Address = { url: string; secret: string };

export type OutgoingWebhooks = {
  of(orgRecordId: string): Promise<OutgoingWebhook[]>;
  /** The address and the secret. @throws Error if they were changed, or sealed with an unknown key. */
  open(outgoing: OutgoingWebhook): Address;
  /**
   * Replaces the outgoing webhook of a kind, and stores the effects in the same step. Null if another person did so at
   * the same time.
   */
  set(
    org: OutgoingWebhook['org'],
    outgoing: NewOutgoingWebhook,
    effects: Effects,
  ): Promise<OutgoingWebhook | null>;
  /** False if it was removed or replaced in the meantime. */
  remove(outgoing: OutgoingWebhook, effects: Effects): Promise<boolean>;
  /** Marks it as stopped. False if it was removed or replaced in the meantime. */
  stop(outgoing: OutgoingWebhook, effects: Effects): Promise<boolean>;
  /** At most `most` outgoing webhooks that have something to deliver now, those due longest first. */
  due(now: Date, most: number): Promise<Due[]>;
  /** Saves a part of its state. False if it was removed or replaced in the meantime. */
  save(outgoing: OutgoingWebhook, state: Partial<DeliveryState>): Promise<boolean>;
};

export type Message = { url: string; headers: Record<string, string>; body: string };

/** Sends over HTTPS to public addresses only. */
export type Sender = {
  /** Never rejects. */
  send(message: Message): Promise<OutgoingWebhookOutcome>;
  /** Tells whether an IP address, in any notation of IPv4 or IPv6, belongs to a host on the internet. */
  isPublic(address: string): boolean;
};
