import { AppError } from '../app-error.ts';

/** For reads: GitHub doesn't show this to us, or it doesn't exist. */
export const NOT_VISIBLE = { 403: null, 404: null } as const;

/**
 * Waits for GitHub's answer. If GitHub refuses with a status in `fallbacks`,
 * that status's value is the answer.
 *
 * @throws AppError `githubUnavailable` for every other failure: an outage, a
 *   timeout, a rate limit. Silence never counts as a yes.
 */
export async function fromGitHub<T, Fallbacks extends Record<number, unknown> = Record<never, never>>(
  request: Promise<T>,
  fallbacks?: Fallbacks,
): Promise<T | Fallbacks[keyof Fallbacks]> {
  try {
    return await request;
  } catch (error) {
    const status = (error as { status?: unknown } | null)?.status;
    const hasFallback = fallbacks && typeof status === 'number' && status in fallbacks;
    if (hasFallback && !isRateLimit(error)) return fallbacks[status] as Fallbacks[keyof Fallbacks];
    throw new AppError('githubUnavailable', { cause: error });
  }
}

/** GitHub sends 403 both for "no" and for "not now"; the headers or the message tell which. */
function isRateLimit(error: unknown): boolean {
  const { message, response } = error as {
    message?: unknown;
    response?: { headers?: Record<string, string | undefined> };
  };
  if (typeof message === 'string' && /rate limit|abuse/i.test(message)) return true;
  const headers = response?.headers;
  return headers?.['retry-after'] !== undefined || headers?.['x-ratelimit-remaining'] === '0';
}
