/** Shown if the server didn't answer, or a proxy answered in its place. */
export const NO_ANSWER = "OTP Guard didn't answer. Check your connection and try again.";

/** The server refused a call or didn't answer (`status` 0). `message` is one sentence for the person, maybe with a second line. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds until a retry makes sense, if the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export type ApiClient = {
  /** Sends one product call. Rejects with an `ApiError`. `Answer` is the shape that the wire contract promises. */
  post<Answer>(path: `/${string}`, body: unknown, signal?: AbortSignal): Promise<Answer>;
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

/** Makes the product calls of the wire contract: JSON out, JSON or text back, one sentence of text on failure. */
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

/** The server's sentence for the person. */
export function sentenceOf(response: Response, text: string): string {
  // A proxy may answer with its own HTML page; the product's own refusals are plain text.
  const isPlainText = response.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
  return isPlainText && text.trim() !== '' ? text.trim() : NO_ANSWER;
}

function refusal(deps: Deps, response: Response, text: string): ApiError {
  const message = sentenceOf(response, text);
  if (response.status === 401) deps.onUnauthorized(message);
  const retryAfter = Number(response.headers.get('Retry-After'));
  // After a wrong one-time code: how many more there may be.
  const left = response.headers.get('X-Tries-Left');
  const tries = left ? `\n${left} ${left === '1' ? 'try' : 'tries'} left.` : '';
  return new ApiError(response.status, message + tries, retryAfter > 0 ? retryAfter : undefined);
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
