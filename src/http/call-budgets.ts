import { AppError } from '../app-error.ts';
import type { Limit, Limits } from '../limits.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Budget = {
  /** How often one person may make each of these calls in a minute. */
  perMinute: number;
  /** How often one person may make these calls in an hour, all together. */
  perHour: number;
  /** How many requests to GitHub such a call takes, about; 0 if it takes none. */
  requests: number;
  /** How many such calls of a member pass in an hour no matter what the organization's other members did. */
  own: number;
  /** Whether it waits while the rest of GitHub's hourly budget is kept for approvals. */
  isPostponable: boolean;
};

/** What a product call may cost. Nobody who approves five pull requests a minute notices. */
export const budgets = {
  /** Asks GitHub nothing. */
  local: { perMinute: 120, perHour: 3_000, requests: 0, own: 0, isPostponable: false },
  /** Asks GitHub nothing, and sends an e-mail. */
  mail: { perMinute: 10, perHour: 10, requests: 0, own: 0, isPostponable: false },
  /** Shows or changes an organization: asks GitHub who the person is there. */
  organization: { perMinute: 60, perHour: 300, requests: 2, own: 30, isPostponable: true },
  /** Reads the rules of ten repositories. */
  health: { perMinute: 30, perHour: 100, requests: 25, own: 4, isPostponable: true },
  /** Adds or removes an authenticator: asks GitHub who the person is. */
  authenticator: { perMinute: 60, perHour: 120, requests: 2, own: 30, isPostponable: false },
  /** Reads a pull request and its neighbours, and writes a check run. */
  approval: { perMinute: 60, perHour: 600, requests: 6, own: 60, isPostponable: false },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof budgets;

/**
 * How many requests the calls of its members cost an organization in an hour,
 * of the 5,000 or more that GitHub allows. Approvals have a share of their own.
 */
const REQUESTS_PER_HOUR = { approvals: 1_100, others: 600 };
/** Calls about organizations in which we don't know the person: of one person, and about one organization. */
const STRANGER_PER_HOUR = { person: 30, organization: 300 };

export type SpendDeps = {
  limits: Limits;
  memberships: Memberships;
  /** GitHub's hourly budget of each installation. */
  githubBudget: { lowUntil(installation: number): Date | null };
};

/**
 * Counts a call before it does anything: against the person, and against the
 * organization that its body names, if the person is a member of it. The
 * organization's count begins where the member's own share ends, so that nobody
 * can block the others. Strangers have limits of their own.
 *
 * @throws AppError `tooManyRequests`, or `githubBudgetLow` if GitHub's budget is kept for approvals now.
 */
export async function spend(
  deps: SpendDeps,
  call: { session: Session; path: string; budget: BudgetName; orgID: number | undefined },
): Promise<void> {
  const { session, path, budget, orgID } = call;
  const { perMinute, perHour, requests, own, isPostponable } = budgets[budget];
  const person = session.userId;
  await take(deps.limits, [
    { key: `call:${path}:${person}`, most: perMinute, ms: MINUTE_MS },
    { key: `calls:${budget}:${person}`, most: perHour, ms: HOUR_MS },
  ]);
  if (requests === 0 || orgID === undefined) return;
  const known = (await deps.memberships.of(person)).find(({ org }) => org.orgId === orgID);
  if (!known) return takeAsStranger(deps.limits, person, orgID);
  if (isPostponable) requireBudget(deps, known.org.installationId);
  const share = { key: `own:${budget}:${orgID}:${person}`, most: own, ms: HOUR_MS };
  if ((await deps.limits.take([share])) === 0) return;
  const kind = budget === 'approval' ? 'approvals' : 'others';
  const key = `requests:${kind}:${orgID}`;
  await take(deps.limits, [{ key, most: REQUESTS_PER_HOUR[kind], ms: HOUR_MS, cost: requests }]);
}

function takeAsStranger(limits: Limits, person: string, orgID: number): Promise<void> {
  return take(limits, [
    { key: `stranger:${person}`, most: STRANGER_PER_HOUR.person, ms: HOUR_MS },
    { key: `strangers:${orgID}`, most: STRANGER_PER_HOUR.organization, ms: HOUR_MS },
  ]);
}

function requireBudget({ githubBudget }: SpendDeps, installation: number): void {
  const until = githubBudget.lowUntil(installation);
  if (until) throw new AppError('githubBudgetLow', { retryAfter: secondsOf(until.getTime() - Date.now()) });
}

async function take(limits: Limits, wanted: Limit[]): Promise<void> {
  const wait = await limits.take(wanted);
  if (wait > 0) throw new AppError('tooManyRequests', { retryAfter: secondsOf(wait) });
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
