import { AppError, limitReached } from '../../shared/app-error.ts';
import { pauseIn } from './rate-limits.ts';

/** GitHub answered, or something in its place, but not with what it documents. */
export class UnusableAnswer extends Error {
  readonly status = 502;
}

/** A read is answered like this if GitHub doesn't show it to us, or if it doesn't exist. */
export const NOT_VISIBLE = { 404: null } as const;

/** A read can also end in "we can't know": the account hasn't given the App this permission, or has no such feature. */
export const NOT_READABLE = { ...NOT_VISIBLE, permission: null } as const;

/** GitHub refuses a person's token, or doesn't show something to its holder. */
export const REFUSED = { 401: null, 403: null, 404: null } as const;

/** The message of a refusal that lasts until an owner gives the App a permission. */
const MISSING_PERMISSION = /^Resource not accessible|^Must have /;
/**
 * The message of a 403 that stays the same for this resource until an owner changes the App's permissions or the plan.
 * Every other 403 is about us, as that of an IP allow list or of single sign-on, and says nothing about the resource.
 */
const NO_PERMISSION = /^Resource not accessible|^Upgrade to |^Must have /;
const SUSPENDED = /installation has been suspended/;

/**
 * Waits for GitHub's answer. If GitHub refuses with a status in `fallbacks`,
 * that status's value is the answer; `permission` stands for a 403 that says
 * that the App may not read this at all.
 *
 * @throws AppError `githubUnavailable` for every other failure of GitHub: an
 *   outage, a timeout, a rate limit. Silence never counts as a yes.
 *   `permissionMissing` if the App lacks a permission, and `installationSuspended` or `installationNotFound` if the
 *   account suspended or removed the App. An error of our own code is thrown as it is.
 */
export async function fromGitHub<
  T,
  Fallbacks extends Partial<Record<number | 'permission', unknown>> = Record<never, never>,
>(request: Promise<T>, fallbacks?: Fallbacks): Promise<T | Fallbacks[keyof Fallbacks]> {
  try {
    return await request;
  } catch (error) {
    if (!isOfGitHub(error)) throw error;
    const { status, message, errors, response, headers } = error as Failure;
    const seconds = Math.ceil(
      pauseIn({ status, message, errors, headers: response?.headers ?? headers ?? {} }) / 1000,
    );
    if (seconds > 0)
      throw new AppError('githubUnavailable', {
        cause: error,
        retryAfter: seconds,
        sentence: limitReached(seconds),
      });
    const keys = [status ?? 0, ...(status === 403 && NO_PERMISSION.test(message) ? ['permission'] : [])];
    const key = keys.find((one) => fallbacks && one in fallbacks) as keyof Fallbacks | undefined;
    if (fallbacks && key !== undefined) return fallbacks[key];
    if (status === 403 && SUSPENDED.test(message))
      throw new AppError('installationSuspended', { cause: error });
    if (status === 404 && isForToken(error as Failure))
      throw new AppError('installationNotFound', { cause: error });
    const refusal = refusalIn(error as Failure);
    const isMissing = refusal !== null && MISSING_PERMISSION.test(refusal);
    throw new AppError(isMissing ? 'permissionMissing' : 'githubUnavailable', {
      cause: error,
      ...(refusal !== null && { reason: reasonIn(refusal) }),
    });
  }
}

/** GitHub's sentence if it refuses a request, or a query all of whose errors are refusals; null for any other failure. */
function refusalIn({ status, message, errors }: Failure): string | null {
  if (status === 403) return message;
  return (errors?.every(({ type }) => type === 'FORBIDDEN') && errors[0]?.message) || null;
}

/**
 * Tells whether GitHub doesn't know a commit yet: its webhook about a fork's pull request can be here before the base
 * repository has the commit.
 */
export function isUnknownCommit(error: unknown): boolean {
  const { status, message = '' } = (error ?? {}) as Partial<Failure>;
  return status === 422 && /^No commit found/.test(message);
}

/** Tells whether a request is Octokit's own for an installation's token, which precedes the installation's requests. */
export const isForToken = ({ request }: { request?: { url: string } }): boolean =>
  request?.url.endsWith('/access_tokens') ?? false;

type Headers = Record<string, string | undefined>;
/** An error of Octokit. That of a query has no status, and its headers are its own. */
type Failure = {
  status?: number;
  message: string;
  errors?: { type?: string; message?: string }[];
  headers?: Headers;
  request?: { url: string };
  response?: { headers?: Headers };
};

/** Octokit gives each failure of a request a status, and a GraphQL query that failed the `errors` of its answer. */
function isOfGitHub(error: unknown): boolean {
  const { status, errors, cause } = (error ?? {}) as { status?: unknown; errors?: unknown; cause?: unknown };
  if (error instanceof AppError) return false;
  // Octokit calls everything that was thrown while it sent a request a 500, and `fetch` a lost connection a TypeError.
  const thrown = cause as Error | undefined;
  const isBug = ['TypeError', 'ReferenceError'].includes(thrown?.name ?? '') && thrown?.cause === undefined;
  return (typeof status === 'number' && !isBug) || Array.isArray(errors);
}

const LONGEST_REASON = 300;

/** GitHub's sentence, without the link to its documentation that Octokit appends. */
const reasonIn = (message: string) =>
  message
    .replace(/ - https?:\S+$/, '')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_REASON);
