import { GITHUB_API_VERSION } from '../../settings/github-config.ts';
import { UnusableAnswer } from './from-github.ts';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Gets the function that sends the requests, and returns a function that sends them instead. */
export type WrapSend = (send: Fetch) => Fetch;

/** Called for each answer of GitHub's API with its status, 0 if no answer came, and with its `Date` header. */
export type OnAnswer = (status: number, date: string | null) => void;

/**
 * `fetch` for GitHub's API. GitHub redirects a request for a renamed repository
 * or organization to its id, and expects it again there, unchanged
 * (docs.github.com, "Best practices for using the REST API"). So one redirect
 * within GitHub's API is followed, by writes too: GitHub did nothing yet. Every
 * other redirect becomes a 404, and no token reaches another origin.
 *
 * @param answerMs How long one answer may take.
 */
export function fetchFromGitHub(
  answerMs: number,
  { wrapSend, onAnswer }: { wrapSend?: WrapSend | undefined; onAnswer?: OnAnswer | undefined } = {},
): Fetch {
  const plain: Fetch = (url, init) => fetch(url, init);
  const send = withStatusReport(wrapSend?.(plain) ?? plain, onAnswer);
  return async (url, init = {}) => {
    const timeout = AbortSignal.timeout(answerMs);
    const sent: RequestInit = {
      ...init,
      headers: { 'x-github-api-version': GITHUB_API_VERSION, ...init.headers },
      redirect: 'manual',
      signal: init.signal ? AbortSignal.any([timeout, init.signal]) : timeout,
    };
    const answer = await send(url, sent);
    if (!isRedirect(answer)) return requireUsable(answer);
    const location = answer.headers.get('location') ?? '';
    const to = URL.canParse(location, url) ? new URL(location, url) : null;
    // 303 would turn a write into a read.
    if (answer.status !== 303 && to?.origin === new URL(url).origin) {
      const moved = await send(to.href, sent);
      if (!isRedirect(moved)) return requireUsable(moved);
    }
    return answerInstead(404, 'Moved');
  };
}

/** Responds to a request of ours that isn't sent. */
export const answerInstead = (status: number, message: string, headers = {}): Response =>
  Response.json({ message }, { status, headers });

/** 304 isn't a redirect: it says that a list hasn't changed. */
const isRedirect = ({ status }: Response) => status >= 300 && status < 400 && status !== 304;

/** The message of an error about an answer that isn't JSON. */
export const NOT_JSON = "GitHub's answer isn't JSON";

/**
 * Reads the whole answer. Octokit takes an answer that breaks off for an empty one, and a page that a proxy sends for a
 * text.
 *
 * @throws UnusableAnswer if a success has no JSON.
 */
async function requireUsable(answer: Response): Promise<Response> {
  const text = await answer.clone().text();
  if ((answer.status === 200 || answer.status === 201) && !isJson(text)) throw new UnusableAnswer(NOT_JSON);
  return answer;
}

function isJson(text: string): boolean {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null;
  } catch {
    return false;
  }
}

const withStatusReport =
  (send: Fetch, onAnswer: OnAnswer = () => undefined): Fetch =>
  async (url, init) => {
    try {
      const answer = await send(url, init);
      onAnswer(answer.status, answer.headers.get('date'));
      return answer;
    } catch (error) {
      onAnswer(0, null);
      throw error;
    }
  };
