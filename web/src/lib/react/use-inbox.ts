import { type Query, type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { InboxAnswer, InboxQuestion, InboxTab, MOST_COUNTED } from '../../../../src/contract/inbox.ts';
import { ApiError, ENDED, sentenceOf } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import { readAccessToken } from '../session/local-store.ts';
import { cacheOf } from './queries.ts';
import { useClient, useUser } from './use-client.ts';

const POLL_MS = 30_000;
/** Browsers report a return to the tab more than once. */
const FRESH_MS = 5_000;
/** How often a page may read again: a person's own share of such calls is 30 an hour. */
const FOLLOW_MS = 2 * 60_000;

/** Typed by the contract instead of imported from it, which would load its library. */
const MOST: typeof MOST_COUNTED = 1_000;

/** `12`, or `1,000+`: the server counts no further. */
export const totalText = (total: number) => (total === MOST ? '1,000+' : `${total}`);

const counted = (count: number, noun: string) =>
  count === 0 ? [] : [`${totalText(count)} ${noun}${count === 1 ? '' : 's'}`];

/** How many pull requests and deployments a tab has, up to `MOST`, and as words: `1 pull request and 2 deployments`. */
export function countIn(answer: InboxAnswer, tab: InboxTab): { count: number; words: string } {
  const pulls = tab === 'for-you' ? answer.forYou : answer.mayApprove;
  const deployments = answer.deploymentsIn[tab];
  const words = [...counted(pulls, 'pull request'), ...counted(deployments, 'deployment')].join(' and ');
  return { count: Math.min(pulls + deployments, MOST), words };
}

export const isSameQuestion = (one: InboxQuestion, other: InboxQuestion): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The last answer, null before the first one, and the question that it answers. */
type Known = { answer: InboxAnswer | null; question: InboxQuestion };
const NOTHING: Known = { answer: null, question: {} };

const CALL = '/inbox';
/** The bar and the inbox ask one question. */
const questions = new WeakMap<Client, InboxQuestion>();

/**
 * The inbox, read every 30 seconds while the page is visible, and immediately when the person returns to it, has approved
 * something, or the browser is online again. After a failure, the last answer stays. A question is asked until there is
 * another one.
 */
export function useInbox(question?: InboxQuestion) {
  const client = useClient();
  const cache = cacheOf(client);
  const queryKey = [CALL, useUser().id];
  const ask = useEffectEvent((next: InboxQuestion) => {
    if (isSameQuestion(next, questions.get(client) ?? {})) return;
    questions.set(client, next);
    void cache.refetchQueries({ queryKey });
  });
  // It comes before the subscription, which asks.
  useEffect(() => {
    if (question) ask(question);
  }, [question]);
  useEffect(() => follow(cache), [cache]);
  const { data, dataUpdatedAt, error } = useQuery<Known>(
    {
      queryKey,
      queryFn: ({ signal }) => readInbox(client, questions.get(client) ?? {}, signal),
      ...{ initialData: NOTHING, initialDataUpdatedAt: 0, gcTime: Number.POSITIVE_INFINITY },
      ...{ staleTime: FRESH_MS, refetchInterval: POLL_MS, refetchOnWindowFocus: true },
    },
    cache,
  );
  return { ...data, at: dataUpdatedAt, failure: error && sentenceOf(error) };
}

async function readInbox(client: Client, question: InboxQuestion, signal: AbortSignal) {
  const { api, local, now } = client;
  // The session's own method would sign the person out, in the middle of what they are doing.
  const accessToken = readAccessToken(local, now());
  if (!accessToken) throw new ApiError({ detail: ENDED });
  const answer = await api.post(CALL, { ...question, accessToken }, signal);
  if (question.tab !== 'auto') return { answer, question };
  // The tab that it opened stays open, so that no row goes while somebody reads it.
  const asked = { ...question, tab: answer.opens };
  if (questions.get(client) === question) questions.set(client, asked);
  return { answer, question: asked };
}

const followed = new WeakSet<QueryClient>();

/** Reads the inbox again after an approval, and what the library doesn't watch: another window, and the connection. */
function follow(cache: QueryClient): void {
  if (followed.has(cache)) return;
  followed.add(cache);
  const inbox = { queryKey: [CALL] };
  // The old answer is dropped even if no page shows the inbox: the next page that does must not show it.
  window.addEventListener('approved', () => void cache.invalidateQueries(inbox));
  const wake = () => {
    if (document.visibilityState !== 'visible') return;
    const isOld = (query: Query) => query.isStaleByTime(FRESH_MS);
    void cache.refetchQueries({ ...inbox, type: 'active', predicate: isOld }, { cancelRefetch: false });
  };
  for (const name of ['focus', 'online']) window.addEventListener(name, wake);
}

/**
 * Keeps what a page shows of an organization's waiting pull requests together with the inbox: calls `read` once the inbox
 * has changed, at most every two minutes.
 */
export function useFollowInbox(read: () => void): void {
  const { now } = useClient();
  const { answer } = useInbox();
  const readAt = useRef(now());
  const readLatest = useEffectEvent(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal answer is the same object.
  useEffect(() => {
    // An answer that comes together with the page is of the same moment.
    if (now() - readAt.current < FRESH_MS) return;
    const timer = setTimeout(
      () => {
        readAt.current = now();
        readLatest();
      },
      Math.max(0, readAt.current + FOLLOW_MS - now()),
    );
    return () => clearTimeout(timer);
  }, [answer, now]);
}
