import { Agent } from 'node:http';
import { createSendRequest, type RawAnswer } from '../send-request.ts';
import { PlainForm } from './plain-form.ts';

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
const PAYLOAD = '@jsonPayload';

function toSent({ headers, body }: Init): {
  headers: Record<string, string> | undefined;
  body: string | undefined;
} {
  if (!isForm(body)) return { headers, body: body as string | undefined };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: String(Object.fromEntries(body.entries())[PAYLOAD]),
  };
}

/** Whether `createStoreFetch` can send it. */
export function isPlain(url: string, { body }: { body?: unknown }): boolean {
  if (!url.startsWith('http:')) return false;
  return !isForm(body) || [...body.entries()].map(([name]) => name).join() === PAYLOAD;
}

/** For what isn't plain. */
export const sendAnything: StoreFetch = (url, { body, ...init } = {}) =>
  fetch(url, { ...init, body: (body instanceof PlainForm ? body.toFormData() : body) as FormData });

/** A `FormData`, or what the bundles have in its place. */
const isForm = (body: unknown): body is Pick<FormData, 'entries'> =>
  typeof body === 'object' && body !== null && 'entries' in body;

const toAnswer = (url: string, { status, bytes }: RawAnswer): Answer => ({
  status,
  url,
  json: async () => JSON.parse(bytes.toString('utf8')) as unknown,
});
