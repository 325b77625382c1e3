/** What the person reads when no answer came at all. */
export const NO_ANSWER = 'OTP Guard did not answer. Check your connection and try again.';

/** A refusal by the server, or no answer (`status` 0). `message` is one sentence for the person. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds until another try makes sense, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export type ApiClient = {
  /** Sends one product call; refuses with an `ApiError`. `Answer` is the shape that the wire contract promises. */
  post<Answer>(path: `/${string}`, body: unknown, signal?: AbortSignal): Promise<Answer>;
  /** Deletes one record of the store, by the route that asks for a proof; refuses with an `ApiError`. */
  remove(path: `/api/collections/${string}`, headers: Record<string, string>): Promise<void>;
};

/** All that most pages need. */
export type Poster = Pick<ApiClient, 'post'>;

type Deps = {
  fetch: typeof fetch;
  /** The record store's token; empty when nobody is signed in. */
  token: () => string;
  /** Called when the session or the GitHub token is no longer good. */
  onUnauthorized: (message: string) => void;
};

/** The product calls of the wire contract: JSON out; JSON or text back; one sentence of text for a failure. */
export function createApiClient(deps: Deps): ApiClient {
  return {
    async post<Answer>(path: `/${string}`, body: unknown, signal?: AbortSignal) {
      const response = await send(deps, path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      return read<Answer>(response.headers, await textOf(deps, response));
    },
    async remove(path, headers) {
      await textOf(deps, await send(deps, path, { method: 'DELETE', headers }));
    },
  };
}

type Message = RequestInit & { headers: Record<string, string> };

async function send(deps: Deps, path: string, message: Message): Promise<Response> {
  try {
    const headers = { ...message.headers, Authorization: deps.token() };
    return await deps.fetch(path, { ...message, headers });
  } catch (error) {
    if (message.signal?.aborted) throw error;
    throw new ApiError(0, NO_ANSWER);
  }
}

async function textOf(deps: Deps, response: Response): Promise<string> {
  const text = await response.text().catch(() => {
    throw new ApiError(0, NO_ANSWER);
  });
  if (!response.ok) throw refusal(deps, response, text);
  return text;
}

function refusal(deps: Deps, response: Response, text: string): ApiError {
  // A proxy in between may answer with a page of its own; only plain text is the product's own sentence.
  const plain = response.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
  const message = plain && text.trim() !== '' ? text.trim() : NO_ANSWER;
  if (response.status === 401) deps.onUnauthorized(message);
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiError(response.status, message, retryAfter > 0 ? retryAfter : undefined);
}

function read<Answer>(headers: Headers, text: string): Answer {
  if (!headers.get('Content-Type')?.includes('json')) return text as Answer;
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new ApiError(0, NO_ANSWER);
  }
}

export const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';
