import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { InboxAnswer, InboxQuestion, MOST_COUNTED } from '../../../../src/contract/inbox.ts';
import type { Client } from '../session/client.ts';
import { readAccessToken } from '../session/local-store.ts';
import { createInboxFeed, followInbox, type InboxFeed } from './inbox-feed.ts';
import { useClient, useUser } from './use-client.ts';

/** The bar and the inbox share one feed, which never outlives the person's session. */
const feeds = new WeakMap<Client, { userId: string; feed: InboxFeed }>();

function feedOf(client: Client, userId: string): InboxFeed {
  const known = feeds.get(client);
  if (known?.userId === userId) return known.feed;
  const feed = createInboxFeed({ load: (question) => loadInbox(client, question), window, now: client.now });
  feeds.set(client, { userId, feed });
  return feed;
}

function loadInbox({ api, local, now }: Client, question: InboxQuestion): Promise<InboxAnswer> | null {
  // The session's own method would sign the person out, in the middle of what they are doing.
  const accessToken = readAccessToken(local, now());
  return accessToken ? api.post('/inbox', { ...question, accessToken }) : null;
}

/** Typed by the contract instead of imported from it, which would load its library. */
const MOST: typeof MOST_COUNTED = 1_000;

/** `12`, or `1,000+`: the server counts no further. */
export const totalText = (total: number) => (total === MOST ? '1,000+' : `${total}`);

/** The inbox, live. A question is asked until there is another one. */
export function useInbox(question?: InboxQuestion) {
  const client = useClient();
  const { getState, subscribe, ask } = feedOf(client, useUser().id);
  // It comes before the subscription, which asks.
  useEffect(() => {
    if (question) ask(question);
  }, [ask, question]);
  return useSyncExternalStore(subscribe, getState);
}

/** Calls `read` for a page that shows waiting pull requests too, as `followInbox` says. */
export function useFollowInbox(read: () => void): void {
  const client = useClient();
  const { id } = useUser();
  const readLatest = useEffectEvent(read);
  useEffect(() => {
    const { now } = client;
    return followInbox(feedOf(client, id), { read: () => readLatest(), now });
  }, [client, id]);
}
