import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ProbotOctokit } from 'probot';
import type { WritePriority } from '../../approvals/ports.ts';
import { type Sleep, systemClock, systemSleep } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import type { Limits } from '../../shared/limits.ts';
import { logContext } from '../../shared/log.ts';
import { createQueues } from '../../shared/queues.ts';
import { createKeptAnswers, type Keep, type Kept } from './conditional-reads.ts';
import { answerInstead, type Fetch } from './fetch.ts';
import { isForToken, isUnknownCommit } from './from-github.ts';
import { lastPageIn } from './pages.ts';
import { type Budgets, createBudgets, PEOPLE_RESERVE, pauseOf } from './rate-limits.ts';

/** The facts about one of our requests, in Octokit's `request` options. */
export type RequestOptions = {
  /** Makes a read a conditional one, as `conditional-reads.ts` says. */
  keep?: Keep;
  /** The ids of the items in what is kept, if it's a page of a list. */
  idsOf?: (data: never) => unknown;
  /** A GraphQL query: it's posted, but creates no content. */
  isQuery?: boolean;
  /** 0 for a request that isn't sent again if it fails. */
  retries?: 0;
  /** The place of a write among the others; `other` if it isn't given. */
  priority?: WritePriority;
  /** A write is given up at this time of `performance.now()`, in its queue and on the way. */
  until?: number | undefined;
};

/**
 * GitHub allows 100 requests at the same time. Writes don't wait for reads, nor for writes of another priority. A
 * person's request doesn't wait for the reads of webhooks and of the scheduler.
 */
const AT_ONCE = { peoplesReads: 30, otherReads: 10, writes: 5 };

const READS = new Set(['GET', 'HEAD']);
/**
 * Octokit's own code posts this, so we can't mark it. It creates no content, and a write that needs a token doesn't wait
 * behind less urgent writes for it.
 */
const NEW_TOKEN = '/app/installations/{installation_id}/access_tokens';

const NEW_RUN = '/repos/{owner}/{repo}/check-runs';

type Sending = RequestOptions & {
  /** How long a write may wait. */
  patience?: Patience;
  isForPerson: boolean;
  /** A read of work in the background, which leaves the rest of the hourly budget to people. */
  leavesReserve: boolean;
};

type RequestGuard = {
  /**
   * Makes all requests of this client keep GitHub's limits, and those of an installation's also read conditionally.
   *
   * @param installation 0 for the App itself, whose requests need no token.
   */
  guard(octokit: ProbotOctokit, installation: number): ProbotOctokit;
  budget: Budgets;
};

/** A token is kept for a minute less than GitHub accepts it, as in Octokit's own cache. */
const TOKEN_MS = 59 * 60_000;

/** The tokens of installations, by their ids: a cache for Octokit, from which a token can be dropped. */
export const createTokens = () => createExpiringMap<string>(systemClock, TOKEN_MS);

type Tokens = ReturnType<typeof createTokens>;

/** A request with one of these answers isn't sent again: the answer would be the same, or GitHub asks us to wait. */
const FINAL = [304, 400, 401, 403, 404, 410, 422, 429, 451];
const ignore = () => undefined;
const NO_CLIENT = { hook: { before: ignore } };

/**
 * Probot's Octokit, which sends a failed request once more. Octokit's own retry is off: it gives each request a queue of
 * its own, and that takes longer than all else that we do before a request. Its throttle is off: it waits as long as
 * GitHub says, and forever for a Redis that is away, while a person waits for an answer. The gate below keeps GitHub's
 * limits.
 */
export const octokitWith = ({ log, retryMs, tokens }: { log: Logger; retryMs: number; tokens: Tokens }) =>
  ProbotOctokit.plugin(
    (octokit) => sendAgain(octokit as ProbotOctokit, retryMs),
    makeNoEventClients,
  ).defaults((given: { auth?: object }) => ({
    ...given,
    auth: { ...given.auth, cache: tokens },
    // Debug lines hold whole bodies, and a body can hold a person's token.
    log: { debug: ignore, info: ignore, warn: log.warn.bind(log), error: log.error.bind(log) },
    throttle: { enabled: false },
    retry: { enabled: false },
  })) as typeof ProbotOctokit;

/**
 * Keeps Probot from making a client for each webhook. It would take 13 kB for as long as the webhook waits for its turn,
 * and no handler may use it, because its requests wouldn't pass the gate below.
 */
function makeNoEventClients(octokit: { auth(options?: unknown): Promise<unknown> }): void {
  const { auth } = octokit;
  octokit.auth = async (options) =>
    (options as { type?: unknown } | undefined)?.type === 'event-octokit' ? NO_CLIENT : auth(options);
}

type Failed = { status?: unknown; request?: { url: string } };

/**
 * Sends a request that failed once more after a pause, unless it was sent with `retries: 0`; also a new run on a commit
 * that GitHub doesn't know yet, because GitHub did nothing for it.
 */
function sendAgain(octokit: ProbotOctokit, pauseMs: number): void {
  octokit.hook.wrap('request', async (request, options) => {
    try {
      return await request(options);
    } catch (error) {
      const { status, request: failed } = error as Failed;
      const isEarly = options.url === NEW_RUN && isUnknownCommit(error);
      const isFinal = !isEarly && (FINAL.includes(Number(status)) || options.request.retries === 0);
      // A request for a token was sent again on its own.
      if (!failed || isFinal || (isForToken({ request: failed }) && options.url !== NEW_TOKEN)) throw error;
      await systemSleep(pauseMs);
      return request(options);
    }
  });
}

/**
 * The hooks that every request to GitHub passes, including a request that is sent again. The gate sends nothing while
 * GitHub asks the installation to wait, and lets writes wait for their turn; a request that may not be sent gets an
 * answer like GitHub's own, 429 with `Retry-After`. Reads can be conditional, and a token that GitHub refuses is
 * renewed.
 *
 * @param deps.send Sends a request that passed.
 */
export function createRequestGuard(
  { send, limits, tokens }: { send: Fetch; limits: Limits; tokens: Tokens },
  changed: Partial<WriteLimits> = {},
): RequestGuard {
  const writeLimits = { ...WRITE_LIMITS, ...changed };
  const takeTurn = createWriteTurns(limits, writeLimits);
  const budget = createBudgets();
  const peoplesReads = createQueues<number>(AT_ONCE.peoplesReads);
  const otherReads = createQueues<number>(AT_ONCE.otherReads);
  const writes = createQueues<string>(AT_ONCE.writes);
  const inPace = createQueryPace();
  const answers = createKeptAnswers();

  const fetchFor = (installation: number, sending: Sending): Fetch => {
    const { priority = 'other', patience, isQuery = false, isForPerson, leavesReserve } = sending;
    const all = `github:${installation}`;
    // GitHub limits the time that it spends on queries: a pause of theirs must not stop a person's request.
    const paused = isQuery ? `${all}:queries` : all;
    const refusal = async () => {
      const low = leavesReserve ? budget.lowUntil(installation, PEOPLE_RESERVE) : null;
      if (low) return tooMany(low.getTime() - Date.now());
      const ms = Math.max(await limits.blockedFor(all), isQuery ? await limits.blockedFor(paused) : 0);
      return ms > 0 ? tooMany(ms) : null;
    };
    return (url, init) => {
      const sendNow = async () => {
        const refused = await refusal();
        if (refused) return refused;
        const answer = await send(url, init);
        budget.learn(installation, answer.headers);
        const pause = await pauseOf(answer, isQuery);
        if (pause > 0) await limits.block(paused, pause);
        return answer;
      };
      const sendInTurn = async (limit: Patience) => {
        const refused = await refusal();
        if (refused) return refused;
        const ms = await takeTurn(installation, priority, limit);
        return ms > 0 ? tooMany(ms) : sendNow();
      };
      if (patience) return writes.add(`${installation}:${priority}`, () => sendInTurn(patience));
      // Only work in the background sends queries.
      if (isQuery) return inPace(installation, sendNow);
      return (isForPerson ? peoplesReads : otherReads).add(installation, sendNow);
    };
  };

  const gate = (octokit: ProbotOctokit, installation: number) =>
    octokit.hook.wrap('request', async (request, options) => {
      // Changed in place: a hook can't pass other options on.
      options.request = { ...options.request };
      const own = options.request as RequestOptions;
      const isRead = READS.has(options.method);
      const isForPerson = isWorkForPerson();
      const sending = { ...own, isForPerson, leavesReserve: isRead && !isForPerson };
      if (own.isQuery || isRead || options.url === NEW_TOKEN) {
        options.request.fetch = fetchFor(installation, sending);
        return request(options);
      }
      // The whole write has this long: in its queue, on the way, and when it is sent again.
      const { until = Number.POSITIVE_INFINITY } = own;
      const last = Math.min(performance.now() + writeLimits.patienceMs, until);
      const { signal, end } = timeout(last - performance.now());
      const patience = { signal, until: last };
      Object.assign(options.request, { signal, fetch: fetchFor(installation, { ...sending, patience }) });
      try {
        return await request(options);
      } finally {
        end();
      }
    });

  const guard = (octokit: ProbotOctokit, installation: number): ProbotOctokit => {
    gate(octokit, installation);
    if (installation === 0) return octokit;
    readConditionally(octokit, installation, answers);
    renewToken(octokit, () => tokens.delete(String(installation)));
    return octokit;
  };
  return { budget, guard };
}

type KeptAnswers = ReturnType<typeof createKeptAnswers>;

/** Adds GitHub's tag of the kept answer to a read with `keep`; a 304 becomes that answer. */
function readConditionally(octokit: ProbotOctokit, installation: number, answers: KeptAnswers): void {
  octokit.hook.wrap('request', async (request, options) => {
    const { keep, idsOf = (data: unknown) => data } = options.request as RequestOptions;
    if (!keep) return request(options);
    const name = `${installation} ${octokit.request.endpoint.parse(options).url}`;
    const known = answers.get(name);
    if (known?.etag) options.headers['if-none-match'] = known.etag;
    try {
      const answer = await request(options);
      const { etag = '', link } = answer.headers;
      const data = keep(answer.data as never);
      const at = performance.now();
      const isSame =
        known && JSON.stringify(idsOf(known.data as never)) === JSON.stringify(idsOf(data as never));
      const last = lastPageIn(link, Number(options.page ?? 1));
      const kept: Kept = { data, etag, last, at, since: isSame ? known.since : at };
      const text = JSON.stringify(data) ?? '';
      answers.set(name, kept, { size: text.length + name.length });
      return { ...answer, kept };
    } catch (error) {
      if (!known || (error as { status?: unknown }).status !== 304) throw error;
      return { status: 304, url: options.url, headers: {}, data: null, kept: known };
    }
  });
}

/**
 * Replaces an installation token that GitHub refuses (401), and sends the
 * request once more. A token can end before its hour does, if an owner revokes
 * it. Requests under way with the same token share one replacement. GitHub does
 * nothing for a refused request, so writes can be sent again too.
 *
 * @param drop Drops the token, so that Octokit requests a new one. Octokit's own `refresh` would request it at
 *   api.github.com, even for an Enterprise Server, and without these hooks.
 */
function renewToken(octokit: ProbotOctokit, drop: () => void): void {
  let dropped = 0;
  octokit.hook.wrap('request', async (request, options) => {
    const before = dropped;
    try {
      return await request(options);
    } catch (error) {
      const { status, request: failed } = error as Failed;
      if (status !== 401 || !failed || isForToken({ request: failed })) throw error;
      // Another request may have dropped the token since this one began.
      if (dropped === before) {
        dropped += 1;
        drop();
      }
      return request(options);
    }
  });
}

/** A webhook comes in a request, too, and has a delivery; the scheduler's work has neither. */
function isWorkForPerson(): boolean {
  const { request, delivery } = logContext();
  return request !== undefined && delivery === undefined;
}

function timeout(ms: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  if (ms <= 0) controller.abort();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

const tooMany = (ms: number): Response =>
  answerInstead(429, 'OTP Guard keeps the rate limit of GitHub', {
    'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
  });

/** The pause after a query, as a share of the time that its answer took: so queries take 40 seconds of a minute at most. */
const PAUSE = 0.5;

/**
 * Lets queries that nobody waits for pass one after another, each after a pause. GitHub spends at most 60 seconds of a
 * minute on an installation's queries, by the time that its answers take (docs.github.com, "Rate limits and query limits
 * for the GraphQL API").
 */
export function createQueryPace(sleep: Sleep = systemSleep) {
  const queries = createQueues<number>(1);
  return <T>(installation: number, send: () => Promise<T>): Promise<T> =>
    queries.add(installation, async () => {
      const began = performance.now();
      try {
        return await send();
      } finally {
        const ms = (performance.now() - began) * PAUSE;
        // The pause comes before every query that waits already.
        void queries.add(installation, () => sleep(ms), 1);
      }
    });
}

/**
 * GitHub allows 80 requests a minute and 500 an hour that create content
 * (docs.github.com, "Rate limits for the REST API"). The higher priorities may
 * use the part that the lower ones must leave.
 */
const MOST: Record<WritePriority, { perMinute: number; perHour: number }> = {
  takeAway: { perMinute: 79, perHour: 499 },
  approval: { perMinute: 73, perHour: 475 },
  completion: { perMinute: 67, perHour: 435 },
  other: { perMinute: 62, perHour: 400 },
};

/** A write whose time ended in its queue is worth trying again after this. */
const SOON_MS = 1_000;

/** GitHub counts when a request arrives, which can be as late as its answer. */
const LATEST_ARRIVAL_MS = 10_000;

export type WriteLimits = {
  most: Record<WritePriority, { perMinute: number; perHour: number }>;
  minuteMs: number;
  hourMs: number;
  /** A write that waits longer is dropped: another process may have done it since. */
  patienceMs: number;
};

export const WRITE_LIMITS: WriteLimits = {
  most: MOST,
  minuteMs: 60_000 + LATEST_ARRIVAL_MS,
  hourMs: 3_600_000 + LATEST_ARRIVAL_MS,
  patienceMs: 20_000,
};

/** How long a write may wait: until the signal aborts, which it does at this time of `performance.now()`. */
type Patience = { signal: AbortSignal; until: number };

/**
 * Waits until GitHub's limits, which all processes count together, leave room for a write. A write that would wait in vain
 * doesn't wait: it may hold the claim to a head's run, for which an approval of that head would have to wait too.
 *
 * @returns 0, or the milliseconds until it's worth trying again, if the turn can't come in time.
 */
export const createWriteTurns =
  (limits: Limits, { most, minuteMs, hourMs }: WriteLimits) =>
  async (installation: number, priority: WritePriority, { signal, until }: Patience): Promise<number> => {
    const { perMinute, perHour } = most[priority];
    const key = `github:${installation}`;
    const wanted = [
      { key: `${key}:minute`, most: perMinute, ms: minuteMs },
      { key: `${key}:hour`, most: perHour, ms: hourMs },
    ];
    for (;;) {
      const wait = signal.aborted ? SOON_MS : await limits.take(wanted);
      if (wait === 0 || signal.aborted || performance.now() + wait > until) return wait;
      // Rejects when the signal aborts.
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  };
