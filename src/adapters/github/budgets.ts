import { AppError } from '../../shared/app-error.ts';

/** How much of GitHub's hourly budget an installation has left. */
export type GitHubBudget = {
  /**
   * When GitHub renews the budget, if less than this share is left, a fifth if none is given; null if there is enough,
   * or if we don't know.
   */
  lowUntil(installation: number, reserve?: number): Date | null;
};

/**
 * For reads that neither an approval nor a repair needs.
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

/** Learns the budgets from GitHub's answers, which count the requests of all processes. */
export function createBudgets() {
  const known = new Map<number, { share: number; reset: number }>();
  return {
    learn(installation: number, headers: Pick<Headers, 'get'>): void {
      const numberOf = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
      const [limit, remaining, reset] = [numberOf('limit'), numberOf('remaining'), numberOf('reset') * 1000];
      // GraphQL and search have budgets of their own.
      if (
        (headers.get('x-ratelimit-resource') ?? 'core') !== 'core' ||
        Number.isNaN(limit + remaining + reset)
      )
        return;
      known.set(installation, { share: remaining / limit, reset });
    },
    lowUntil(installation: number, reserve = RESERVE): Date | null {
      const budget = known.get(installation);
      return budget && budget.share < reserve && budget.reset > Date.now() ? new Date(budget.reset) : null;
    },
  };
}
