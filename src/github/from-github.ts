import { AppError, limitReached } from '../app-error.ts';

/** For reads: GitHub doesn't show this to us, or it doesn't exist. */
export const NOT_VISIBLE = { 403: null, 404: null } as const;

/**
 * Waits for GitHub's answer. If GitHub refuses with a status in `fallbacks`,
 * that status's value is the answer.
 *
 * @throws AppError `githubUnavailable` for every other failure of GitHub: an
 *   outage, a timeout, a rate limit. Silence never counts as a yes. An error of
 *   our own code is thrown as it is.
 */
export async function fromGitHub<T, Fallbacks extends Record<number, unknown> = Record<never, never>>(
  request: Promise<T>,
  fallbacks?: Fallbacks,
): Promise<T | Fallbacks[keyof Fallbacks]> {
  try {
    return await request;
  } catch (error) {
    if (!isOfGitHub(error)) throw error;
    const status = (error as { status?: unknown } | null)?.status;
    const hasFallback = fallbacks && typeof status === 'number' && status in fallbacks;
    if (hasFallback && !isRateLimit(error)) return fallbacks[status] as Fallbacks[keyof Fallbacks];
    const seconds = secondsToWait(error);
    throw new AppError('githubUnavailable', {
      cause: error,
      ...(seconds > 0 && { retryAfter: seconds, sentence: limitReached(seconds) }),
    });
  }
}

/** Octokit gives each failure of a request a status, and a GraphQL query that failed the `errors` of its answer. */
function isOfGitHub(error: unknown): boolean {
  const { status, errors, cause } = (error ?? {}) as { status?: unknown; errors?: unknown; cause?: unknown };
  if (error instanceof AppError) return false;
  // Octokit calls everything that was thrown while it sent a request a 500.
  const isBug = ['TypeError', 'ReferenceError'].includes((cause as Error | undefined)?.name ?? '');
  return (typeof status === 'number' && !isBug) || Array.isArray(errors);
}

type GitHubError = { message?: unknown; response?: { headers?: Record<string, string | undefined> } };

/** In the message of an answer that is a rate limit. */
export const RATE_LIMIT_TEXT = /rate limit|abuse/i;

/** How long GitHub, or our own pacing, asks us to wait; 0 if neither says so. */
function secondsToWait(error: unknown): number {
  const headers = (error as GitHubError | null)?.response?.headers ?? {};
  const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : 0;
  const seconds = Number(headers['retry-after'] ?? reset - Date.now() / 1000);
  return seconds > 0 ? Math.ceil(seconds) : 0;
}

/** GitHub sends 403 both for "no" and for "not now"; the headers or the message tell which. */
function isRateLimit(error: unknown): boolean {
  const { message, response } = error as GitHubError;
  if (typeof message === 'string' && RATE_LIMIT_TEXT.test(message)) return true;
  const headers = response?.headers;
  return headers?.['retry-after'] !== undefined || headers?.['x-ratelimit-remaining'] === '0';
}
