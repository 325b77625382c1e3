import { Agent } from 'node:http';
import { createSendRequest, type Answer as SentAnswer } from '../send-request.ts';

/** As long as `fetch` waits. */
const ANSWER_MS = 300_000;

type Init = { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal };

/** What the store's SDK reads of an answer. */
type Answer = { status: number; url: string; json(): Promise<unknown> };

export type StoreFetch = (url: string, init?: Init) => Promise<Answer>;

/** Sends the SDK's requests to a store on the same machine. */
export function createStoreFetch(): StoreFetch {
  const send = createSendRequest({ answerMs: ANSWER_MS, agent: new Agent({ keepAlive: true }) });
  return async (url, init = {}) => {
    const { method, signal } = init;
    return toAnswer(url, await send(url, { method, signal, ...toSent(init) }));
  };
}

/** The SDK puts a batch into a form, for files. Without files it has one entry. */
function toSent({ headers, body }: Init): {
  headers: Record<string, string> | undefined;
  body: string | undefined;
} {
  if (!(body instanceof FormData)) return { headers, body: body as string | undefined };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: String(body.get('@jsonPayload')),
  };
}

/** Whether `createStoreFetch` can send it. */
export function isPlain(url: string, { body }: { body?: unknown }): boolean {
  if (!url.startsWith('http:')) return false;
  return !(body instanceof FormData) || [...body.keys()].join() === '@jsonPayload';
}

const toAnswer = (url: string, { status, bytes }: SentAnswer): Answer => ({
  status,
  url,
  json: async () => JSON.parse(bytes.toString('utf8')) as unknown,
});
