import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createSendRequest, type RawAnswer, type SendRequest } from '../send-request.ts';
import { GITHUB_API_VERSION } from '../settings/github-config.ts';
import { type Answer, answerInstead, createAnswer } from './answer.ts';

/** What Octokit passes to a `fetch`. */
type Init = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
  signal?: AbortSignal | null;
};

export type Fetch = (url: string, init?: Init) => Promise<Answer>;

export type WrapSend = (send: SendRequest) => SendRequest;

const decompress = promisify(gunzip);

/**
 * `fetch` for GitHub's API. GitHub redirects a request for a renamed repository
 * or organization to its id, and expects it again there, unchanged
 * (docs.github.com, "Best practices for using the REST API"). So one redirect
 * within GitHub's API is followed, by writes too: GitHub did nothing yet. Every
 * other redirect becomes a 404, and no token reaches another origin.
 *
 * @param answerMs How long one answer may take.
 * @param wrapSend Gets what sends the requests, and returns what sends them in its place.
 */
export function fetchFromGitHub(answerMs: number, wrapSend: WrapSend = (send) => send): Fetch {
  const send = wrapSend(createSendRequest({ answerMs }));
  return async (url, { method, headers, body, signal } = {}) => {
    const timeout = AbortSignal.timeout(answerMs);
    const sent = {
      method,
      headers: { 'accept-encoding': 'gzip', 'x-github-api-version': GITHUB_API_VERSION, ...headers },
      body: body ?? undefined,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    };
    const answer = await send(url, sent);
    if (!isRedirect(answer)) return toAnswer(url, answer);
    const { location = '' } = answer.headers;
    const to = URL.canParse(location, url) ? new URL(location, url) : null;
    // 303 would turn a write into a read.
    if (answer.status !== 303 && to?.origin === new URL(url).origin) {
      const moved = await send(to.href, sent);
      if (!isRedirect(moved)) return toAnswer(to.href, moved);
    }
    return answerInstead(404, { url, message: 'Moved' });
  };
}

async function toAnswer(url: string, { status, headers, bytes }: RawAnswer): Promise<Answer> {
  const {
    'content-encoding': encoding,
    'content-length': _compressed,
    'set-cookie': _cookies,
    ...kept
  } = headers;
  const body = encoding === 'gzip' && bytes.length > 0 ? await decompress(bytes) : bytes;
  return createAnswer({ status, url, headers: kept as Record<string, string>, body });
}

/** 304 isn't a redirect: it says that a list hasn't changed. */
const isRedirect = ({ status }: RawAnswer) => status >= 300 && status < 400 && status !== 304;

/** Called for each answer of GitHub's API with its status, 0 if no answer came, and with its `Date` header. */
export type OnAnswer = (status: number, date: string | null) => void;

/** Reports each answer. */
export function withStatusReport(send: Fetch, onAnswer: OnAnswer): Fetch {
  return async (input, init) => {
    try {
      const answer = await send(input, init);
      onAnswer(answer.status, answer.headers.get('date'));
      return answer;
    } catch (error) {
      onAnswer(0, null);
      throw error;
    }
  };
}
