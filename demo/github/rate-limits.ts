/** How much GitHub lets each installation of an App do. */
export type RateLimits = {
  requestsPerHour: number;
  contentPerMinute: number;
  contentPerHour: number;
  /** How many milliseconds of a minute the answers to GraphQL queries may take together. */
  queryMsPerMinute: number;
  /** How long a minute is. */
  minuteMs: number;
};

/** GitHub's own limits (GitHub: "Rate limits for the REST API", "Rate limits and query limits for the GraphQL API"). */
const GITHUB_LIMITS: RateLimits = {
  requestsPerHour: 5_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  queryMsPerMinute: 60_000,
  minuteMs: 60_000,
};

/** A request for which GitHub may ban an App. */
type RateViolation = {
  installation: number;
  /** Method and path. */
  request: string;
  at: Date;
  /** Whether the request went over a limit, or came although GitHub had asked the App to wait. */
  kind: 'over-limit' | 'too-early';
};

/** The rate limits, as a test can read and change them. */
export type RateLimitControl = Pick<Rates, 'violations' | 'counted' | 'refuseContent'>;

type RateRefusal = { status: number; message: string; retryAfter?: number };

export type Rates = ReturnType<typeof createRates>;

type Usage = {
  counted: number;
  resetAt: number;
  content: number[];
  queries: { at: number; ms: number }[];
  heldUntil: number;
  heldStatus: number;
};

const HOUR_MS = 3_600_000;
const SECONDARY = 'You have exceeded a secondary rate limit';
const WAIT = {
  content: `${SECONDARY} and have been temporarily blocked from content creation. Please retry your request again later.`,
  query: `${SECONDARY}. Please wait a few minutes before you try again.`,
};

type Request = { method: string; path: string };

export const isQuery = ({ method, path }: Request) => method === 'POST' && path === '/graphql';
/** Our schema has no mutations, so no request to it creates content. */
const isContent = (request: Request) => /^(POST|PUT|PATCH)$/.test(request.method) && !isQuery(request);

/**
 * Counts as GitHub does. Over the hourly limit everything is refused, except queries, which have limits of their own. Over
 * a limit of content-creating requests, or of the time that queries take, only those are, with the time to wait.
 */
export function createRates(changed: Partial<RateLimits> = {}) {
  const limits = { ...GITHUB_LIMITS, ...changed };
  const usages = new Map<number, Usage>();
  const violations: RateViolation[] = [];

  const usageOf = (installation: number): Usage => {
    const now = Date.now();
    const none = { counted: 0, resetAt: now + HOUR_MS };
    const first = { ...none, content: [], queries: [], heldUntil: 0, heldStatus: 403 };
    const known = usages.get(installation) ?? first;
    const usage = known.resetAt > now ? known : { ...known, ...none };
    usage.content = usage.content.filter((at) => at > now - HOUR_MS);
    usage.queries = usage.queries.filter(({ at }) => at > now - limits.minuteMs);
    usages.set(installation, usage);
    return usage;
  };

  /** How long content has to wait because there is too much of it; 0 if it doesn't. */
  const excessOf = ({ content }: Usage): number => {
    const now = Date.now();
    const [oldest = now] = content;
    if (content.length >= limits.contentPerHour) return Math.max(limits.minuteMs, oldest + HOUR_MS - now);
    const recent = content.filter((at) => at > now - limits.minuteMs);
    return recent.length >= limits.contentPerMinute ? limits.minuteMs : 0;
  };

  /** How the request breaks the limits; undefined if it doesn't. */
  const violationOf = (usage: Usage, request: Request): RateViolation['kind'] | undefined => {
    if (isQuery(request)) {
      const took = usage.queries.reduce((sum, { ms }) => sum + ms, 0);
      return took >= limits.queryMsPerMinute ? 'over-limit' : undefined;
    }
    if (usage.counted >= limits.requestsPerHour) return 'over-limit';
    if (!isContent(request)) return undefined;
    if (usage.heldUntil > Date.now()) return 'too-early';
    const excess = excessOf(usage);
    if (excess > 0) Object.assign(usage, { heldUntil: Date.now() + excess, heldStatus: 403 });
    return excess > 0 ? 'over-limit' : undefined;
  };

  /** Takes note of a request; returns why it is refused, or undefined. */
  const admit = (installation: number, request: Request): RateRefusal | undefined => {
    const usage = usageOf(installation);
    const kind = violationOf(usage, request);
    if (!kind) {
      if (isContent(request)) usage.content.push(Date.now());
      return undefined;
    }
    const { method, path } = request;
    violations.push({ installation, request: `${method} ${path}`, at: new Date(), kind });
    if (isQuery(request))
      return { status: 403, message: WAIT.query, retryAfter: Math.ceil(limits.minuteMs / 1000) };
    if (usage.counted >= limits.requestsPerHour) {
      return { status: 403, message: `API rate limit exceeded for installation ID ${installation}.` };
    }
    const retryAfter = Math.ceil((usage.heldUntil - Date.now()) / 1000);
    return { status: usage.heldStatus, message: WAIT.content, retryAfter };
  };

  return {
    requestsPerHour: limits.requestsPerHour,
    admit,
    count: (installation: number) => {
      usageOf(installation).counted += 1;
    },
    /** Takes note of how long the answer to a query took. */
    countQuery: (installation: number, ms: number) => {
      usageOf(installation).queries.push({ at: Date.now(), ms });
    },
    headers: (installation: number): Record<string, number | string> => {
      const { counted, resetAt } = usageOf(installation);
      return {
        'x-ratelimit-limit': limits.requestsPerHour,
        'x-ratelimit-remaining': Math.max(0, limits.requestsPerHour - counted),
        'x-ratelimit-used': counted,
        'x-ratelimit-reset': Math.ceil(resetAt / 1000),
        'x-ratelimit-resource': 'core',
      };
    },
    /** Oldest first. */
    violations: (): readonly RateViolation[] => violations,
    /** How many requests of the installation counted in the present hour. GitHub doesn't count a 304. */
    counted: (installation: number) => usageOf(installation).counted,
    /** Refuses the installation's content-creating requests for this many seconds, with `Retry-After`. */
    refuseContent: (installation: number, { seconds }: { seconds: number }) => {
      usageOf(installation).heldUntil = Date.now() + seconds * 1000;
    },
  };
}
