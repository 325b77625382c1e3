import type { InboxAnswer, InboxQuestion } from '../../../../src/contract/inbox.ts';

const POLL_MS = 30_000;
/** Browsers report a return to the tab more than once. */
const FRESH_MS = 5_000;

type InboxState = {
  /** The last answer; null before the first one. */
  answer: InboxAnswer | null;
  /** The question that it answers. */
  question: InboxQuestion;
  /** When it came, in milliseconds since 1970. */
  at: number;
  /** Why the last request failed, as a sentence; null if it didn't. */
  failure: string | null;
};

export type InboxFeed = {
  getState(): InboxState;
  /** Asks for this page of the inbox, now and from now on. */
  ask(question: InboxQuestion): void;
  /** The feed asks only while it has listeners. */
  subscribe(listener: () => void): () => void;
};

type Deps = {
  /** Null if the session has ended. */
  load: (question: InboxQuestion) => Promise<InboxAnswer> | null;
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'document'>;
  now: () => number;
};

const WINDOW_EVENTS = ['focus', 'online'] as const;

/**
 * Asks for the person's inbox every 30 seconds while the page is visible, and immediately when they return to it,
 * has approved something, or the browser is online again. After a failure, the last answer stays.
 */
export function createInboxFeed({ load, window, now }: Deps): InboxFeed {
  const listeners = new Set<() => void>();
  const { document } = window;
  let question: InboxQuestion = {};
  let state: InboxState = { answer: null, question, at: 0, failure: null };
  let asking: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const setState = (next: InboxState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const ask = async () => {
    const asked = question;
    const loading = load(asked);
    if (!loading) return;
    askedAt = now();
    await loading.then(
      (answer) => setState({ answer, question: asked, at: now(), failure: null }),
      (error: unknown) => setState({ ...state, failure: error instanceof Error ? error.message : '' }),
    );
  };
  const schedule = () => {
    clearTimeout(timer);
    if (listeners.size > 0) timer = setTimeout(poll, POLL_MS);
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
      schedule();
    });
    return asking;
  };
  // A hidden page asks when it's visible again.
  const poll = () => void (document.visibilityState === 'visible' && askOnce());
  const wake = () => {
    const isFresh = now() - askedAt < FRESH_MS && state.failure === null;
    if (isFresh) schedule();
    else poll();
  };

  const refresh = async () => {
    // An answer that is under way may be from before the approval, or to another question.
    await asking;
    await askOnce();
  };

  // The old answer is dropped even if no page shows the inbox: the next one that does must not show it.
  window.addEventListener('approved', () => {
    askedAt = Number.NEGATIVE_INFINITY;
    if (listeners.size > 0) void refresh();
  });

  const start = () => {
    document.addEventListener('visibilitychange', wake);
    for (const name of WINDOW_EVENTS) window.addEventListener(name, wake);
  };
  const stop = () => {
    document.removeEventListener('visibilitychange', wake);
    for (const name of WINDOW_EVENTS) window.removeEventListener(name, wake);
    clearTimeout(timer);
  };

  return {
    getState: () => state,
    ask(next) {
      if (isSameQuestion(question, next)) return;
      question = next;
      void refresh();
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      wake();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
  };
}

export const isSameQuestion = (one: InboxQuestion, other: InboxQuestion): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** How often a page may read again: a person's own share of such calls is 30 an hour. */
const FOLLOW_MS = 2 * 60_000;

/**
 * Keeps what a page shows of an organization's waiting pull requests together with the inbox: calls `read` once the inbox
 * has changed, at most every two minutes. Returns the end.
 */
export function followInbox(
  feed: InboxFeed,
  { read, now }: { read: () => void; now: () => number },
): () => void {
  const current = () => JSON.stringify(feed.getState().answer);
  let readAt = now();
  let seen = current();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readNow = () => {
    timer = undefined;
    readAt = now();
    seen = current();
    read();
  };
  const follow = () => {
    // An answer that comes together with the page is of the same moment.
    if (now() - readAt < FRESH_MS) seen = current();
    if (timer !== undefined || seen === current()) return;
    timer = setTimeout(readNow, Math.max(0, readAt + FOLLOW_MS - now()));
  };
  const end = feed.subscribe(follow);
  return () => {
    clearTimeout(timer);
    end();
  };
}
