import { inTime } from './in-time.ts';

/** A request that was sent while the page's code was loading. */
type Sent = { key: string; sentAt: number; response: Promise<Response> };

/** An older answer could hold a challenge that expires while the person reads the prompt. */
const MOST_MS = 5000;

const sent: Sent[] = [];

/** Sends a request ahead of the code that needs it. Resolves to a copy of the answer; null if there's none. */
export function sendEarly(window: Window, path: string, init: RequestInit): Promise<Response | null> {
  const response = window.fetch(path, inTime(init));
  sent.push({ key: keyOf(path, init), sentAt: performance.now(), response });
  // The code that takes it reads its body, and sees the failure; nobody may ever take it.
  return response.then(
    (answer) => answer.clone(),
    () => null,
  );
}

/** Answers a request with the one that was sent early, if it's the same to the letter: then it's used up. Else sends it. */
export const fetchOrTakeEarly =
  (window: Window): typeof fetch =>
  (input, init) => {
    const at = sent.findIndex(({ key }) => key === keyOf(String(input), init));
    const [early] = at < 0 ? [] : sent.splice(at, 1);
    return early && performance.now() - early.sentAt < MOST_MS
      ? early.response
      : window.fetch(input, inTime(init));
  };

/**
 * What is asked, and for whom: a call's body has the person's GitHub token. The record store's token, which tells it for
 * a request without a body, may have been renewed meanwhile.
 */
const keyOf = (path: string, { method, headers, body }: RequestInit = {}): string =>
  JSON.stringify([method, path, body ?? new Headers(headers).get('Authorization')]);
