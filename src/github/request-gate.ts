import type { ProbotOctokit } from 'probot';
import type { WritePriority } from '../approvals/ports.ts';
import { createLanes } from '../lanes.ts';
import type { Limits } from '../limits.ts';
import { logContext } from '../log-context.ts';
import { type Answer, answerInstead } from './answer.ts';
import { createBudgets, type GitHubBudget, PEOPLE_RESERVE } from './budgets.ts';
import type { Fetch } from './fetch.ts';
import { createQueryPace } from './query-pace.ts';
import { pauseOf } from './rate-limit-pause.ts';
import { createWriteQueues, type Patience, WRITE_LIMITS, type WriteLimits } from './write-queues.ts';

/** What a request of ours says about itself, in Octokit's `request` options. */
export type RequestOptions = {
  /** A GraphQL query: it's posted, but creates no content. */
  isQuery?: boolean;
  /** Of a write; `other` if it isn't given. */
  priority?: WritePriority;
  /** Of a write: given up at this time of `performance.now()`, in its queue and on the way. */
  until?: number | undefined;
};

export type RequestGate = {
  /** Makes all requests of this client keep GitHub's limits. `installation` is 0 for the App itself. */
  guard(octokit: ProbotOctokit, installation: number): ProbotOctokit;
  /** Sends a request that isn't a write and comes from no guarded client. */
  fetchFor(installation: number): Fetch;
  budget: GitHubBudget;
};

/**
 * GitHub allows 100 requests at the same time. Writes don't wait for reads, nor for writes of another priority. What a
 * person waits for doesn't wait for the reads of webhooks and of the scheduler.
 */
const AT_ONCE = { reads: 10, writes: 5 };

const READS = new Set(['GET', 'HEAD']);
/**
 * Octokit's own code posts this, so we can't mark it. It creates no content, and a write that needs a token doesn't wait
 * behind less urgent writes for it.
 */
const NEW_TOKEN = '/app/installations/{installation_id}/access_tokens';

type Sending = RequestOptions & {
  /** How long a write may wait. */
  patience?: Patience | undefined;
  /** A read of work in the background, which leaves the rest of the hourly budget to people. */
  leavesReserve?: boolean;
};

/**
 * What every request to GitHub has to pass: nothing is sent while GitHub asks
 * the installation to wait, and writes wait for their turn. A request that may
 * not be sent gets an answer like GitHub's own, 429 with `Retry-After`.
 *
 * @param deps.send Sends a request that passed.
 */
export function createRequestGate(
  { send, limits }: { send: Fetch; limits: Limits },
  changed: Partial<WriteLimits> = {},
): RequestGate {
  const writeLimits = { ...WRITE_LIMITS, ...changed };
  const takeTurn = createWriteQueues(limits, writeLimits);
  const budget = createBudgets();
  const reads = createLanes(AT_ONCE.reads);
  const writes = createLanes(AT_ONCE.writes);
  const inPace = createQueryPace();

  const refusalFor = async (keys: string[], url: string): Promise<Answer | null> => {
    const ms = Math.max(...(await Promise.all(keys.map((key) => limits.blockedFor(key)))));
    return ms > 0 ? tooMany(url, ms) : null;
  };

  /** Also passed by a request that Octokit sends again. */
  const fetchFor = (installation: number, sending: Sending = {}): Fetch => {
    const { priority = 'other', patience, isQuery, leavesReserve = false } = sending;
    const all = `github:${installation}`;
    // GitHub limits the time that it spends on queries: a pause of theirs must not stop what a person waits for.
    const paused = isQuery ? `${all}:queries` : all;
    return async (url, init) => {
      const refusal = await refusalFor([all, paused], url);
      if (refusal) return refusal;
      const low = leavesReserve ? budget.lowUntil(installation, PEOPLE_RESERVE) : null;
      if (low) return tooMany(url, low.getTime() - Date.now());
      if (patience) {
        const ms = await takeTurn(installation, priority, patience);
        if (ms > 0) return tooMany(url, ms);
        // GitHub may have asked us to wait while this write waited.
        const later = await refusalFor([all], url);
        if (later) return later;
      }
      const sendNow = async () => {
        const answer = await send(url, init);
        budget.learn(installation, answer.headers);
        const pause = await pauseOf(answer);
        if (pause > 0) await limits.block(paused, pause);
        return answer;
      };
      // Only work in the background sends queries.
      if (isQuery)
        return inPace(installation, async () => (await refusalFor([all, paused], url)) ?? sendNow());
      const reader = isForPerson() ? 'person' : 'background';
      const lane = patience ? writes(`${installation}:${priority}`) : reads(`${installation}:${reader}`);
      return lane(sendNow);
    };
  };

  return {
    budget,
    fetchFor: (installation) => fetchFor(installation),
    guard(octokit, installation) {
      octokit.hook.wrap('request', async (request, options) => {
        // Changed in place: a hook can't pass other options on.
        options.request = { ...options.request };
        const own = options.request as Sending;
        if (own.isQuery || READS.has(options.method) || options.url === NEW_TOKEN) {
          const leavesReserve = READS.has(options.method) && !isForPerson();
          options.request.fetch = fetchFor(installation, { ...own, leavesReserve });
          return request(options);
        }
        // The whole write has this long: in its queue, on the way, and when it is sent again.
        const { until = Number.POSITIVE_INFINITY } = own;
        const last = Math.min(performance.now() + writeLimits.patienceMs, until);
        const { signal, end } = timeout(last - performance.now());
        Object.assign(options.request, {
          signal,
          fetch: fetchFor(installation, { ...own, patience: { signal, until: last } }),
        });
        try {
          return await request(options);
        } finally {
          end();
        }
      });
      return octokit;
    },
  };
}

/** A webhook comes in a request, too, and has a delivery; the scheduler's work has neither. */
function isForPerson(): boolean {
  const { request, delivery } = logContext();
  return request !== undefined && delivery === undefined;
}

function timeout(ms: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  if (ms <= 0) controller.abort();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

function tooMany(url: string, ms: number): Answer {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
  return answerInstead(429, { url, message: 'OTP Guard keeps the rate limit of GitHub', headers });
}
