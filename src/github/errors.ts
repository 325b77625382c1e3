import { AppError } from '../app-error.ts';

/** The HTTP status of GitHub's answer; undefined where there was no answer. */
function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}

/**
 * GitHub's answer, or `otherwise` where it answered with one of `statuses`.
 *
 * @throws AppError `githubUnavailable` for every other failure: an outage, a
 *   timeout, a rate limit. What GitHub did not say is never taken for a yes.
 */
export async function answer<T, U>(asked: Promise<T>, statuses: number[], otherwise: U): Promise<T | U>;
/** As above, with an answer of its own where GitHub said that we may not. */
export async function answer<T, U, V>(
  asked: Promise<T>,
  statuses: number[],
  otherwise: U,
  options: { forbidden: V },
): Promise<T | U | V>;
export async function answer<T, U, V>(
  asked: Promise<T>,
  statuses: number[],
  otherwise: U,
  options?: { forbidden: V },
): Promise<T | U | V> {
  try {
    return await asked;
  } catch (error) {
    const status = statusOf(error);
    if (status !== undefined && statuses.includes(status) && !isRateLimit(error))
      return status === 403 && options ? options.forbidden : otherwise;
    throw new AppError('githubUnavailable', { cause: error });
  }
}

/** GitHub says 403 for "no" and for "not now"; the headers tell them apart, or else the words. */
function isRateLimit(error: unknown): boolean {
  const headers = (error as { response?: { headers?: Record<string, string | undefined> } }).response
    ?.headers;
  const { message } = error as { message?: unknown };
  if (typeof message === 'string' && /rate limit|abuse/i.test(message)) return true;
  return headers?.['retry-after'] !== undefined || headers?.['x-ratelimit-remaining'] === '0';
}
