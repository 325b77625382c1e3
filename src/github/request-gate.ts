import type { ProbotOctokit } from 'probot';
import type { WritePriority } from '../approvals/ports.ts';
import { createLanes } from '../lanes.ts';
import type { Limits } from '../limits.ts';
import { logContext } from '../log-context.ts';
import { type Answer, answerInstead } from './answer.ts';
import { createBudgets, type GitHubBudget } from './budgets.ts';
import type { Fetch } from './fetch.ts';
import { pauseOf } from './rate-limit-pause.ts';
import { createWriteQueues, WRITE_LIMITS, type WriteLimits } from './write-queues.ts';

/** What a request of ours says about itself, in Octokit's `request` options. */
export type RequestOptions = {
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
/** These are posted, and create no content. A write that needs a token doesn't wait behind less urgent writes for it. */
const POSTED_READS = new Set(['/graphql', '/app/installations/{installation_id}/access_tokens']);

type Sending = RequestOptions & {
  /** Of a write: aborts when it has waited too long. */
  patience?: AbortSignal | undefined;
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

  const refusalFor = async (installation: number, url: string): Promise<Answer | null> => {
    const ms = await limits.blockedFor(`github:${installation}`);
    return ms > 0 ? tooMany(url, ms) : null;
  };

  /** Also passed by a request that Octokit sends again. */
  const fetchFor = (installation: number, sending: Sending = {}): Fetch => {
    const { priority = 'other', patience } = sending;
    return async (url, init) => {
      const refusal = await refusalFor(installation, url);
      if (refusal) return refusal;
      if (patience) {
        if (!(await takeTurn(installation, priority, patience))) return tooMany(url, writeLimits.patienceMs);
        // GitHub may have asked us to wait while this write waited.
        const later = await refusalFor(installation, url);
        if (later) return later;
      }
      const reader = isForPerson() ? 'person' : 'background';
      const lane = patience ? writes(`${installation}:${priority}`) : reads(`${installation}:${reader}`);
      const answer = await lane(() => send(url, init));
      budget.learn(installation, answer.headers);
      const pause = await pauseOf(answer);
      if (pause > 0) await limits.block(`github:${installation}`, pause);
      return answer;
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
        const isRead = READS.has(options.method) || POSTED_READS.has(options.url);
        if (isRead) {
          options.request.fetch = fetchFor(installation, own);
          return request(options);
        }
        // The whole write has this long: in its queue, on the way, and when it is sent again.
        const { until = Number.POSITIVE_INFINITY } = own;
        const { signal, end } = timeout(Math.min(writeLimits.patienceMs, until - performance.now()));
        Object.assign(options.request, {
          signal,
          fetch: fetchFor(installation, { ...own, patience: signal }),
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

/** Only people's calls have a request of ours. */
const isForPerson = () => logContext().request !== undefined;

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
