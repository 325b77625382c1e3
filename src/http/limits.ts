import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { accountsElsewhere, type FindMovedDeps } from '../approvals/approve/find-moved-targets.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { Sessions } from '../people/ports.ts';
import { sessionKey, tokenOf } from '../people/session.ts';
import { AppError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { sha256Base64url } from '../shared/crypto.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { Limit, Limits } from '../shared/limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The size in bytes of the bodies of product calls and of requests to the record store. */
export const BODY_LIMIT = 64 * 1024;

/**
 * Requests in a minute, of each. People stay far below it. `unknownTokens` are the tokens of one address that we read
 * from the record store.
 */
const REQUESTS = { address: 1_200, session: 1_200, unknownTokens: 3_000 };

/**
 * A person's sessions together may make this many times the requests and calls of one. A thief of a session can't begin
 * another, so they use up one share, and the person has the next one after they sign in again.
 */
const SHARES = 2;

/**
 * Requests to GitHub in an hour that the calls of its members cost an organization beyond the members' own shares, of
 * the 5,000 or more that GitHub allows.
 */
const ORGANIZATION = { approvals: 1_000, revocations: 200, others: 500 };

/**
 * Calls in an hour about organizations in which we don't know the person: of one person, and about one organization. A
 * person's first calls about an organization have a pool of their own, so that a few strangers don't fill it.
 */
const STRANGERS = { person: 30, first: 5, newcomers: 200, others: 100 };

type CallLimit = {
  /** How often one session may make each of these calls in a minute. */
  perMinute: number;
  /** How often one session may make these calls in an hour, all together. */
  perHour: number;
  /** The cost of such a call for the organization that it's about. Without it, the call costs it nothing. */
  github?: {
    /** The approximate number of requests to GitHub it takes. */
    requests: number;
    /** The number of such calls by a member's session that always pass in an hour, regardless of other members. */
    own: number;
    /** The pool that counts the calls beyond the own ones. */
    pool: keyof typeof ORGANIZATION;
    /** Set if it waits while the end of GitHub's hourly budget is kept for approvals. */
    waits?: true;
  };
};

/** How often each kind of call may be made. Nobody who approves five pull requests a minute notices. */
export const budgets = {
  /** Asks GitHub nothing. */
  local: { perMinute: 120, perHour: 3_000 },
  /** Reads a commit with the person's own token, which costs the organization nothing. */
  changes: { perMinute: 60, perHour: 600 },
  /** Prepares the confirmation of a revocation or of a new authenticator. Asks GitHub nothing. */
  stepUp: { perMinute: 120, perHour: 600 },
  /** Asks GitHub nothing, and sends an e-mail. */
  mail: { perMinute: 10, perHour: 10 },
  /** Every page asks twice a minute. Asks GitHub as the person, on their own rate limit, at most every five minutes. */
  inbox: { perMinute: 60, perHour: 1_200 },
  /** Shows or changes an organization: asks GitHub who the person is there. */
  organization: {
    perMinute: 60,
    perHour: 300,
    github: { requests: 2, own: 30, pool: 'others', waits: true },
  },
  /** Sends e-mails to members: asks GitHub who the person is. */
  reminder: { perMinute: 30, perHour: 60, github: { requests: 2, own: 1, pool: 'others', waits: true } },
  /** Sets or tests an outgoing webhook: asks GitHub who the person is, and sends e-mails or a request. */
  outgoingWebhook: {
    perMinute: 6,
    perHour: 30,
    github: { requests: 2, own: 2, pool: 'others', waits: true },
  },
  /** Reads the rules of ten repositories. */
  health: { perMinute: 30, perHour: 100, github: { requests: 25, own: 3, pool: 'others', waits: true } },
  /** Adds an authenticator or changes a policy: asks GitHub who the person is. */
  authenticator: { perMinute: 60, perHour: 120, github: { requests: 2, own: 30, pool: 'others' } },
  /** Reads the changes of a pull request, and who approved it; or which pull requests commits came from. */
  trial: { perMinute: 30, perHour: 100, github: { requests: 20, own: 4, pool: 'others', waits: true } },
  /** Proves approvals or the log: asks GitHub who the person is. */
  proof: { perMinute: 60, perHour: 600, github: { requests: 1, own: 20, pool: 'others', waits: true } },
  /** Reads a pull request and its neighbours, and writes a check run. */
  approval: { perMinute: 60, perHour: 600, github: { requests: 6, own: 60, pool: 'approvals' } },
  /** Takes trust away: from an approval, an authenticator or a member's sessions. No other call uses it up. */
  revocation: { perMinute: 30, perHour: 120, github: { requests: 6, own: 20, pool: 'revocations' } },
} as const satisfies Record<string, CallLimit>;

export type BudgetName = keyof typeof budgets;

/**
 * Limits the requests per minute: of each session and its person, and of each
 * address for everybody else. A token that isn't a session's counts as its
 * sender's address, so a flood of strangers shuts out nobody who is signed in.
 * No other request of a session counts for its logout.
 */
export function createRequestLimits({ limits, sessions }: { limits: Limits; sessions: Sessions }) {
  /** The holders of recent tokens, by the token's hash. A holder only chooses the limit, and proves nothing. */
  const holders = createExpiringMap<string>(systemClock, MINUTE_MS);

  async function holderOf(token: string, address: string): Promise<string | null> {
    const hash = sha256Base64url(token);
    const known = holders.get(hash);
    if (known) return known;
    const reading = { key: `tokens:${address}`, most: REQUESTS.unknownTokens, ms: MINUTE_MS };
    if ((await limits.take([reading])) > 0) return null;
    const session = await sessions.read(token).catch(() => null);
    if (session) holders.set(hash, session.userId);
    return session?.userId ?? null;
  }

  async function limitsOf(request: Request, signedIn: string, strangers: string): Promise<Limit[]> {
    const address = networkOf(request.ip ?? '');
    const token = tokenOf(request.get('authorization'));
    const userId = token === null ? null : await holderOf(token, address);
    if (token === null || userId === null)
      return [{ key: `http:${strangers}:address:${address}`, most: REQUESTS.address, ms: MINUTE_MS }];
    return ofSession({ userId, token }, { key: `http:${signedIn}`, most: REQUESTS.session, ms: MINUTE_MS });
  }

  const limiter =
    (signedIn: string, strangers = signedIn): RequestHandler =>
    async (request, _response, next) => {
      await take(limits, await limitsOf(request, signedIn, strangers));
      next();
    };
  return {
    calls: limiter('calls'),
    logout: limiter('logout', 'calls'),
    recordStore: limiter('record-store'),
  };
}

/** The network that an address counts as: an IPv6 client has a whole network, so its first 56 bits. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [first = 0, second = 0, third = 0, fourth = 0] = parsed.parts;
  return new ipaddr.IPv6([first, second, third, fourth & 0xff00, 0, 0, 0, 0]).toString();
}

/** A call that is about to be made, by the person with this session's token. */
type CountedCall = { userId: string; token: string; path: string; budget: BudgetName };

type Membership = Awaited<ReturnType<Memberships['of']>>[number];

export type LimitDeps = FindMovedDeps & {
  limits: Limits;
  memberships: Pick<Memberships, 'of'>;
  /** GitHub's hourly budget of each installation. */
  githubBudget: { lowUntil(installation: number): Date | null };
};

/** The cost of a call. */
export type CallCost = {
  /** The organization that its body names. */
  orgID: number | undefined;
  /** The pull requests that its body names. */
  targets: ApprovalTarget[];
  /** The number of calls it counts as: `work` for its session alone, `requests` for the organization too. */
  cost(): { requests: number; work: number };
  /** More pull requests, that we stored. @throws AppError if the call is refused immediately. */
  storedTargets(): Promise<ApprovalTarget[]>;
};

/**
 * Counts a product call before it asks GitHub anything: against its session, then against each organization that it
 * names or whose installation it may use.
 *
 * @throws AppError `tooManyRequests`, or `githubBudgetLow` if GitHub's budget is kept for approvals now; and each
 *   refusal of a target that is known by now.
 */
export async function countCall(
  deps: LimitDeps,
  call: CountedCall,
  { orgID, targets, cost, storedTargets }: CallCost,
): Promise<void> {
  const { requests, work } = cost();
  const named = Math.max(requests, targets.length);
  await countForSession(deps.limits, call, Math.max(work, named));
  const stored = await storedTargets();
  if (stored.length > named) await countForSession(deps.limits, call, stored.length - named);
  if (!('github' in budgets[call.budget])) return;
  const all = [...targets, ...stored];
  if (orgID === undefined && all.length === 0) return;
  const [memberships, elsewhere] = await Promise.all([
    deps.memberships.of(call.userId),
    countElsewhere(deps, all),
  ]);
  const counted = { ...call, memberships };
  if (orgID !== undefined) await countForOrganization(deps, counted, orgID, Math.max(named, stored.length));
  for (const [other, count] of elsewhere) await countForOrganization(deps, counted, other, count);
}

/** Counts calls against the session and its person. @throws AppError `tooManyRequests` */
export async function countForSession(limits: Limits, call: CountedCall, count = 1): Promise<void> {
  const { perMinute, perHour } = budgets[call.budget];
  await take(limits, [
    ...ofSession(call, { key: `call:${call.path}`, most: perMinute, ms: MINUTE_MS, cost: count }),
    ...ofSession(call, { key: `calls:${call.budget}`, most: perHour, ms: HOUR_MS, cost: count }),
  ]);
}

/**
 * Counts calls against an organization, if the person is a member of it. That begins where the session's own share
 * ends, so that nobody can block the others. Strangers have limits of their own. A member who isn't known here becomes
 * known by signing in again, which costs the organization nothing.
 */
async function countForOrganization(
  deps: LimitDeps,
  call: CountedCall & { memberships: Membership[] },
  orgID: number,
  count: number,
): Promise<void> {
  const { github } = budgets[call.budget] as CallLimit;
  if (!github) return;
  const member = call.memberships.find(({ org }) => org.orgId === orgID);
  if (!member) return countForStranger(deps.limits, call.userId, orgID, count);
  if (github.waits) requireGitHubBudget(deps, member.org.installationId);
  const key = `own:${call.budget}:${orgID}`;
  const own = ofSession(call, { key, most: github.own, ms: HOUR_MS, cost: count });
  if ((await deps.limits.take(own)) === 0) return;
  const most = ORGANIZATION[github.pool];
  const cost = count * github.requests;
  await take(deps.limits, [{ key: `requests:${github.pool}:${orgID}`, most, ms: HOUR_MS, cost }]);
}

async function countForStranger(limits: Limits, person: string, orgID: number, cost: number): Promise<void> {
  const perHour = (key: string, most: number) => [{ key, most, ms: HOUR_MS, cost }];
  await take(limits, perHour(`stranger:${person}`, STRANGERS.person));
  const isNewcomer = (await limits.take(perHour(`first:${orgID}:${person}`, STRANGERS.first))) === 0;
  if (isNewcomer) await take(limits, perHour(`newcomers:${orgID}`, STRANGERS.newcomers));
  else await take(limits, perHour(`strangers:${orgID}`, STRANGERS.others));
}

/** Counts the targets that may be read from another account than they name, for each such account. */
async function countElsewhere(deps: LimitDeps, targets: ApprovalTarget[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const accounts = await Promise.all(targets.map((target) => accountsElsewhere(deps, target)));
  for (const orgID of accounts.flat()) counts.set(orgID, (counts.get(orgID) ?? 0) + 1);
  return counts;
}

/** The limit for one session, and for all sessions of its person. */
const ofSession = (by: { userId: string; token: string }, { key, most, ...rest }: Limit): Limit[] => [
  { key: `${key}:session:${sessionKey(by.token)}`, most, ...rest },
  { key: `${key}:person:${by.userId}`, most: SHARES * most, ...rest },
];

function requireGitHubBudget({ githubBudget }: LimitDeps, installation: number): void {
  const until = githubBudget.lowUntil(installation);
  if (until) throw new AppError('githubBudgetLow', { retryAfter: secondsOf(until.getTime() - Date.now()) });
}

async function take(limits: Limits, wanted: Limit[]): Promise<void> {
  const wait = await limits.take(wanted);
  if (wait > 0) throw new AppError('tooManyRequests', { retryAfter: secondsOf(wait) });
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
