import { z } from 'zod';
import type { AllowedQuery } from '../../contract/record-queries.ts';
import { toAllowedQuery } from './allowed-query.ts';

const MOST_TOPICS = 20;
/** PocketBase's own client also subscribes to the event that says it's connected. */
const CONNECTED = 'PB_CONNECT';
const TOPIC = /^([a-z_]+)\/(?:\*|[a-z0-9]{15})(?:\?options=([^?&#;+]+))?$/;

const topicOptions = z.strictObject({
  query: z.record(z.string().regex(/^(filter|expand|fields)$/), z.string()).optional(),
  headers: z.strictObject({}).optional(),
});

/**
 * The body of a subscription, as it is sent on. It names all topics of a client, and replaces those before.
 *
 * @param queries The queries for each collection that members read.
 */
export const subscriptionsTo = (queries: Record<string, AllowedQuery>) =>
  z.strictObject({
    clientId: z.string().regex(/^\w{1,100}$/),
    subscriptions: z.array(z.string().refine((topic) => isAllowedTopic(queries, topic))).max(MOST_TOPICS),
  });

/**
 * True for a readable collection or one of its records, with a query that a list of it may have. Events have the topic
 * as their name, so it's sent on as it is, and only in the spelling that PocketBase's client writes.
 */
function isAllowedTopic(queries: Record<string, AllowedQuery>, topic: string): boolean {
  if (topic === CONNECTED) return true;
  const [, name = '', encoded] = TOPIC.exec(topic) ?? [];
  const allowed = Object.hasOwn(queries, name) ? queries[name] : undefined;
  if (!allowed) return false;
  if (encoded === undefined) return true;
  const options = readOptions(encoded);
  return options !== null && toAllowedQuery(allowed, String(new URLSearchParams(options.query))) !== null;
}

/** The options of a topic; null if they can't be decoded, have another field, or are spelled differently. */
function readOptions(encoded: string): z.infer<typeof topicOptions> | null {
  try {
    const sent: unknown = JSON.parse(decodeURIComponent(encoded));
    const { success, data } = topicOptions.safeParse(sent);
    return success && encodeURIComponent(JSON.stringify(sent)) === encoded ? data : null;
  } catch {
    return null;
  }
}
