import { AppError } from '../../shared/app-error.ts';

/** The message of a rate limit has one of these words. */
const LIMIT_TEXT = /rate limit|abuse/i;
/** The types of a GraphQL error that is a rate limit. GitHub answers 200 to such a query, and has sent both. */
const LIMIT_TYPES = ['RATE_LIMIT', 'RATE_LIMITED'];

/** A clock that differs more than this from GitHub's isn't used. */
const WRONG_MS = 60_000;
/** GitHub documents one minute for a secondary limit that names no time. */
const DEFAULT_MS = 60_000;
/** GitHub renews its limits every hour, so a longer time is an error of its, or of a clock, and must not stop us for years. */
const LONGEST_MS = 61 * 60_000;

/** The parts of an answer that tell a rate limit, GitHub's or our own. */
type Refusal = {
  status?: number | undefined;
  headers: Record<string, string | undefined>;
  message?: string | undefined;
  /** The limits of a GraphQL query. */
  errors?: { type?: string }[] | undefined;
};

/**
 * Milliseconds for which GitHub wants no further request, at most about an hour; 0 if the answer is no rate limit
 * (docs.github.com, "Rate limits for the REST API", "Exceeding the rate limit"). GitHub sends 403 both for "no" and for
 * "not now"; the headers or the message tell which.
 */
export function pauseIn({ status, headers, message = '', errors }: Refusal): number {
  const retryAfter = Number(headers['retry-after']);
  const isUsedUp = headers['x-ratelimit-remaining'] === '0';
  const isForNow = retryAfter > 0 || isUsedUp || LIMIT_TEXT.test(message);
  const isOfQuery = Array.isArray(errors) && errors.some(({ type = '' }) => LIMIT_TYPES.includes(type));
  if (status !== 429 && !(status === 403 && isForNow) && !isOfQuery) return 0;
  const ms = retryAfter > 0 ? retryAfter * 1000 : isUsedUp ? untilReset(headers) : 0;
  return Math.min(ms > 0 ? ms : DEFAULT_MS, LONGEST_MS);
}

function untilReset({ date = '', 'x-ratelimit-reset': reset }: Refusal['headers']): number {
  const theirs = Date.parse(date) || Date.now();
  // GitHub's time is a whole second, and ours can be wrong.
  const now = Math.abs(theirs - Date.now()) < WRONG_MS ? Date.now() : theirs;
  return Number(reset) * 1000 - now;
}

/** The same of an answer to a request; `isQuery` for one of GraphQL. */
export async function pauseOf(answer: Response, isQuery = false): Promise<number> {
  const { status, headers } = answer;
  if (status !== 403 && status !== 429 && !isQuery) return 0;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  const { message, errors } = (body ?? {}) as Omit<Refusal, 'headers'>;
  return pauseIn({ status, headers: Object.fromEntries(headers), message, errors });
}

/** The rest of GitHub's hourly budget of each installation. */
export type GitHubBudget = {
  /**
   * The time at which GitHub renews the budget, if less than this share is left (by default a fifth); null if there is
   * enough, or if we don't know.
   */
  lowUntil(installation: number, reserve?: number): Date | null;
};

/**
 * Refuses a read that neither an approval nor a repair needs.
 *
 * @throws AppError `githubBudgetLow` if the rest of the budget is kept.
 */
export function requireBudget(budget: GitHubBudget, installation: number): void {
  const until = budget.lowUntil(installation);
  if (!until) return;
  const seconds = Math.ceil((until.getTime() - Date.now()) / 1000);
  throw new AppError('githubBudgetLow', { retryAfter: Math.max(1, seconds) });
}

/** The share of the budget that is kept for approvals and for writing check runs. */
const RESERVE = 0.2;

/** The share that work in the background, which nobody waits for, leaves. */
export const BACKGROUND_RESERVE = 0.5;

/** The share that no read of webhooks or of the scheduler may use, only the calls of people. */
export const PEOPLE_RESERVE = 0.05;

export type Budgets = GitHubBudget & {
  learn(installation: number, headers: Pick<Headers, 'get'>): void;
  /** The requests above this share that are left until GitHub renews the budget; null if we don't know. */
  spare(installation: number, reserve: number): { requests: number; until: Date } | null;
};

/** Learns the budgets from GitHub's answers, which count the requests of all processes. */
export function createBudgets(): Budgets {
  const known = new Map<number, { limit: number; remaining: number; reset: number }>();
  return {
    learn(installation, headers) {
      const numberOf = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
      const [limit, remaining, reset] = [numberOf('limit'), numberOf('remaining'), numberOf('reset') * 1000];
      // GraphQL and search have budgets of their own.
      if (
        (headers.get('x-ratelimit-resource') ?? 'core') !== 'core' ||
        Number.isNaN(limit + remaining + reset)
      )
        return;
      known.set(installation, { limit, remaining, reset });
    },
    lowUntil(installation, reserve = RESERVE) {
      const spare = this.spare(installation, reserve);
      return spare && spare.requests < 0 ? spare.until : null;
    },
    spare(installation, reserve) {
      const budget = known.get(installation);
      if (!budget || budget.reset <= Date.now()) return null;
      return { requests: budget.remaining - budget.limit * reserve, until: new Date(budget.reset) };
    },
  };
}
