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
};

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
      const response = await send(deps, path, body, signal);
      const text = await response.text().catch(() => {
        throw new ApiError(0, NO_ANSWER);
      });
      if (!response.ok) throw refusal(deps, response, text);
      return read<Answer>(response, text);
    },
  };
}

async function send(deps: Deps, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  try {
    return await deps.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: deps.token() },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, NO_ANSWER);
  }
}

function refusal(deps: Deps, response: Response, text: string): ApiError {
  // A proxy in between may answer with a page of its own; only plain text is the product's own sentence.
  const plain = response.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
  const message = plain && text.trim() !== '' ? text.trim() : NO_ANSWER;
  if (response.status === 401) deps.onUnauthorized(message);
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiError(response.status, message, retryAfter > 0 ? retryAfter : undefined);
}

function read<Answer>(response: Response, text: string): Answer {
  if (!response.headers.get('Content-Type')?.includes('json')) return text as Answer;
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new ApiError(0, NO_ANSWER);
  }
}

export const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';
