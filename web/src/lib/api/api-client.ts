import type { AnswerOf, BodyOf, CallPath } from '../../../../src/contract/calls.ts';
import type { Problem, ProblemCode } from '../../../../src/contract/problems.ts';

/** Refusals come with their code. */
export const ACCEPT = 'application/problem+json, */*';

/** Shown if the server didn't answer, or a proxy answered in its place. */
export const NO_ANSWER = "OTP Guard didn't answer. Check your connection and try again.";
/**
 * True of every approval without an answer: a stored one stays stored, and an approval that wasn't can be given again.
 */
export const NOTHING_LOST =
  "OTP Guard didn't answer. Nothing is lost: check your connection, then try again.";
export const ENDED = 'Your sign-in has ended. It lasts eight hours, or until you sign out.';
export const NO_AUTHENTICATOR =
  "There's no such authenticator, or it isn't one of yours.\nIt may have been deleted. Your list has those that are left.";

/** The sentences that people read instead of the fixed words that the wire contract gives some refusals. */
const SENTENCES: Partial<Record<ProblemCode, string>> = {
  missingAuthToken: `${ENDED}\nSign in again to continue.`,
  missingAuthenticator: 'You have no authenticator in this organization.\nRegister one, then approve.',
  authenticatorNotFound: NO_AUTHENTICATOR,
};

/** The server ended the session, or GitHub the token. */
export const SIGNED_OUT: readonly (ProblemCode | null)[] = ['missingAuthToken', 'notAuthorizedWithGitHub'];

/** The person doesn't belong there, or OTP Guard isn't installed there or can't see the pull request. */
export const NO_ACCESS: readonly (ProblemCode | null)[] = [
  ...(['notMember', 'noRepositoryAccess', 'otherGitHubAccount', 'otherOrganization'] as const),
  ...(['installationNotFound', 'installationSuspended', 'pullNotFound'] as const),
];

type Refusal = Partial<Pick<Problem, 'code' | 'status' | 'detail' | 'retryAfter' | 'triesLeft'>>;

/** The server refused a call or didn't answer. `message` is one sentence for the person, maybe with a second line. */
export class ApiError extends Error {
  /** Null if there was no answer, or not the product's: a proxy's or the record store's own. */
  readonly code: ProblemCode | null;
  /** 0 if there was no answer. */
  readonly status: number;
  /** Seconds until a retry makes sense, if the server said so. */
  readonly retryAfter: number | undefined;

  constructor({ code, status = 0, detail = NO_ANSWER, retryAfter, triesLeft }: Refusal = {}) {
    const tries = triesLeft === undefined ? '' : `\n${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`;
    super(((code && SENTENCES[code]) ?? detail) + tries);
    this.name = 'ApiError';
    this.code = code ?? null;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Tells whether the same request may pass later: there was no answer, or a failure that isn't about the request. */
  get mayPass(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** The code by which the server refused; null for any other error. */
export const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null);

/**
 * The time at which the server accepts codes again, in milliseconds since 1970: after too many wrong ones, or once the
 * app shows the code after a used one. Null if it accepts them now.
 */
export const lockedUntil = ({ retryAfter }: ApiError, now: number): number | null =>
  retryAfter === undefined ? null : now + retryAfter * 1000;

/** The sentence for the person. */
export const sentenceOf = (error: unknown) =>
  error instanceof Error ? error.message : `Unknown error: ${error}`;

export type ApiClient = {
  /** Sends one product call. Rejects with an `ApiError`. */
  post<Path extends CallPath>(path: Path, body: BodyOf<Path>, signal?: AbortSignal): Promise<AnswerOf<Path>>;
  /** Deletes a record through the route that requires a step-up. Rejects with an `ApiError`. */
  remove(path: `/api/collections/${string}`, headers: Record<string, string>): Promise<void>;
};

export type Poster = Pick<ApiClient, 'post'>;

type Deps = {
  fetch: typeof fetch;
  /** The record store's token; empty if nobody is signed in. */
  token: () => string;
  /** Called when the session or the GitHub token is no longer valid. */
  onUnauthorized: (message: string) => void;
};

/** Makes the product calls of the wire contract: JSON out, JSON or text back, a problem on failure. */
export function createApiClient(deps: Deps): ApiClient {
  const send = async (path: string, message: RequestInit) => {
    const headers = { Accept: ACCEPT, ...message.headers, Authorization: deps.token() };
    return receive(() => deps.fetch(path, { ...message, headers }), message.signal).catch(
      (error: unknown) => {
        if (SIGNED_OUT.includes(codeOf(error))) deps.onUnauthorized(sentenceOf(error));
        throw error;
      },
    );
  };
  return {
    async post<Path extends CallPath>(path: Path, body: BodyOf<Path>, signal?: AbortSignal) {
      return (await send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      })) as AnswerOf<Path>;
    },
    async remove(path, headers) {
      await send(path, { method: 'DELETE', headers });
    },
  };
}

/** Resolves to the JSON or text of an answer. Rejects with an `ApiError`, or with the abort of a request. */
export async function receive(send: () => Promise<Response>, signal?: AbortSignal | null): Promise<unknown> {
  try {
    const response = await send();
    const type = response.headers.get('Content-Type') ?? '';
    if (response.ok) return await (type.includes('json') ? response.json() : response.text());
    throw new ApiError({ status: response.status, ...(await refusalIn(response, type)) });
  } catch (error) {
    throw error instanceof ApiError || signal?.aborted ? error : new ApiError();
  }
}

/** The longest plain text that people read. */
const MAX_TEXT = 300;

/** A refusal of ours is a problem. A plain text, which a proxy may write, is shown as given, and a page of HTML isn't. */
async function refusalIn(response: Response, type: string): Promise<Refusal> {
  if (type.startsWith('application/problem+json')) return response.json();
  const text = type.startsWith('text/plain') ? (await response.text()).trim() : '';
  return text === '' ? {} : { detail: text.slice(0, MAX_TEXT) };
}

export const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

/** The server answers each call within 45 seconds, with a sentence. The browser waits longer, so that people read it. */
export const PATIENCE_MS = 60_000;

/** A request that fails after `PATIENCE_MS`. Browsers from before 2024 have their own, later limit. */
export function inTime(init: RequestInit = {}): RequestInit {
  if (!('any' in AbortSignal)) return init;
  const signals = init.signal ? [init.signal] : [];
  return { ...init, signal: AbortSignal.any([...signals, AbortSignal.timeout(PATIENCE_MS)]) };
}
