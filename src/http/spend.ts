import { AppError } from '../app-error.ts';
import type { Limit, Limits } from '../limits.ts';
import type { Session } from '../people/ports.ts';
import { sessionKey } from '../people/session.ts';
import { type BudgetName, budgets, REQUESTS_PER_HOUR } from './call-budgets.ts';
import type { RecentReads } from './recent-reads.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A person's sessions together may make so many times the calls of one. A thief of a session can't begin another, so
 * they use up one share, and the person has the next one after they sign in again.
 */
const SHARES = 2;

/**
 * Calls about organizations in which we don't know the person: of one person, and about one organization. A person's
 * first calls about an organization have a pool of their own, so that a few strangers don't fill it.
 */
const STRANGER_PER_HOUR = { person: 30, first: 5, newcomers: 200, strangers: 100 };

export type SpendDeps = {
  limits: Limits;
  recent: RecentReads;
  /** GitHub's hourly budget of each installation. */
  githubBudget: { lowUntil(installation: number): Date | null };
};

/** A call that is about to be made. */
export type Spending = {
  session: Session;
  /** The session's token. */
  token: string;
  path: string;
  budget: BudgetName;
  /** The organization that its body names, or one more. */
  orgID: number | undefined;
  /** How many calls it counts as; 1 if it isn't given. */
  count?: number;
};

/**
 * Counts a call before it does anything: against its session and the person,
 * and against the organization that its body names, if the person is a member
 * of it. The organization's count begins where the session's own share ends, so
 * that nobody can block the others. Strangers have limits of their own; who is a
 * member and isn't known here becomes known by signing in again, which costs the
 * organization nothing.
 *
 * @throws AppError `tooManyRequests`, or `githubBudgetLow` if GitHub's budget is kept for approvals now.
 */
export async function spend(deps: SpendDeps, call: Spending): Promise<void> {
  const { path, budget } = call;
  const { perMinute, perHour } = budgets[budget];
  await take(deps.limits, [
    ...perSession(call, { key: `call:${path}`, most: perMinute, ms: MINUTE_MS }),
    ...perSession(call, { key: `calls:${budget}`, most: perHour, ms: HOUR_MS }),
  ]);
  await spendOf(deps, call);
}

/** Counts a call, which is counted already against its session, against one more organization that it may ask about. */
export async function spendOf(deps: SpendDeps, call: Spending): Promise<void> {
  const { session, budget, orgID, count = 1 } = call;
  const { requests, own, pool, isPostponable } = budgets[budget];
  if (requests === 0 || orgID === undefined) return;
  const installation = await deps.recent.installationOf(session.userId, orgID);
  if (installation === null)
    return takeAsStranger(deps.limits, { person: session.userId, orgID, cost: count });
  if (isPostponable) requireBudget(deps, installation);
  const share = perSession(call, { key: `own:${budget}:${orgID}`, most: own, ms: HOUR_MS });
  if ((await deps.limits.take(share)) === 0) return;
  const key = `requests:${pool}:${orgID}`;
  await take(deps.limits, [{ key, most: REQUESTS_PER_HOUR[pool], ms: HOUR_MS, cost: count * requests }]);
}

function perSession({ session, token, count: cost = 1 }: Spending, { key, most, ms }: Limit): Limit[] {
  return [
    { key: `${key}:${sessionKey(token)}`, most, ms, cost },
    { key: `${key}:${session.userId}`, most: SHARES * most, ms, cost },
  ];
}

async function takeAsStranger(
  limits: Limits,
  { person, orgID, cost }: { person: string; orgID: number; cost: number },
): Promise<void> {
  const { person: most, first: mostFirst } = STRANGER_PER_HOUR;
  await take(limits, [{ key: `stranger:${person}`, most, ms: HOUR_MS, cost }]);
  const first = { key: `first:${orgID}:${person}`, most: mostFirst, ms: HOUR_MS, cost };
  const pool = (await limits.take([first])) === 0 ? 'newcomers' : 'strangers';
  await take(limits, [{ key: `${pool}:${orgID}`, most: STRANGER_PER_HOUR[pool], ms: HOUR_MS, cost }]);
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
