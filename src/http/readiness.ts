import { setTimeout as delay } from 'node:timers/promises';
import express, { type Express, type RequestHandler } from 'express';
import { systemClock } from '../shared/clock.ts';
import { createReadOnce } from '../shared/expiring-map.ts';
import { READINESS_TEXTS } from '../shared/readiness-texts.ts';
import { COMMIT, VERSION } from '../shared/version.ts';
import { inTime, oneAtATime } from '../shared/work.ts';

type State = { isReady: boolean; text: string };

/** Tells whether the product can take work now; the text says why not, or what needs an operator. */
export type Readiness = () => Promise<State>;

/** The end of a process that a balancer sends requests to. */
export type Leaving = {
  /** It says no from now on. Resolves when a balancer that asks each second or more often has understood. */
  leave(): Promise<void>;
  isLeaving(): boolean;
};

/** GitHub is asked at most every half minute, so that a probe doesn't cost a request each time. */
const GITHUB_CHECK_MS = 30_000;
/** Everyone who asks within two seconds gets the same answer. */
const ANSWER_MS = 2_000;
/** After a write that worked, the next one is this much later: each costs the store's disk two transactions. */
const WRITE_CHECK_MS = 10_000;
/** How long a write may take: a backup stops them all while it copies the store. */
export const LONGEST_WRITE_MS = 60_000;
/** How long an answer waits for the store, its write, or the size of its disk. */
const STORE_MS = 1_500;

/** A balancer that asked this recently will ask again. */
const PROBED_MS = 3_000;
/**
 * Most balancers believe the second refusal, which comes within two seconds; then for requests that were on their way.
 * Refusals aren't counted, because others ask too: through the balancer, or to watch this process.
 */
const LEAVE_MS = 3_000;

/**
 * Checks the record store and GitHub. Assumes that GitHub has just accepted the
 * App's credentials.
 *
 * @param deps.checkStore Rejects if the record store doesn't answer.
 * @param deps.checkWrites Rejects if the record store can't write, or not within `LONGEST_WRITE_MS`.
 * @param deps.freeBytes What can still be written on the store's disk; null if that's another machine's.
 * @param deps.checkGitHub Rejects with a sentence if GitHub doesn't accept the App.
 * @param deps.areWebhooksSilent No reason to stop sending people here: reconciliations continue.
 * @param deps.areLostLeft Whether approvals by lost authenticators still count; no such reason either.
 * @param deps.wasOverdue Whether periodic work was left lately because it didn't end in time; no such reason either.
 * @param deps.hadFaults Whether the last reconciliation had faults; no such reason either.
 * @param deps.isBackupLate No such reason either.
 */
export function createReadiness(deps: {
  checkStore(): Promise<unknown>;
  checkWrites(): Promise<unknown>;
  freeBytes(): Promise<number | null>;
  checkGitHub(): Promise<unknown>;
  areWebhooksSilent(): Promise<boolean>;
  areLostLeft(): Promise<boolean>;
  hadFaults(): Promise<boolean>;
  isBackupLate(): Promise<boolean>;
  wasOverdue(): boolean;
  /** How long a balancer has to understand that this process leaves. */
  leaveMs?: number;
  /** How long the store may take for each of its answers. */
  storeMs?: number;
}): Readiness & Leaving {
  const { leaveMs = LEAVE_MS, storeMs = STORE_MS } = deps;
  const latest = createReadOnce<State>(systemClock, ANSWER_MS);
  let githubAcceptedAt = performance.now();
  // The start has written its schema.
  let writtenAt = performance.now() - WRITE_CHECK_MS;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isLeaving = false;

  const write = oneAtATime(async () => {
    try {
      await deps.checkWrites();
      writtenAt = performance.now();
    } catch (error) {
      writtenAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  });

  const readiness: Readiness = async () => {
    askedAt = performance.now();
    return isLeaving ? { isReady: false, text: READINESS_TEXTS.leaving } : latest('', describe);
  };

  const leave = async () => {
    isLeaving = true;
    if (isWithin(PROBED_MS, askedAt)) await delay(leaveMs);
  };

  return Object.assign(readiness, { leave, isLeaving: () => isLeaving });

  async function describe(): Promise<State> {
    const reason = await check();
    if (reason !== null) return { isReady: false, text: reason };
    if (await deps.areWebhooksSilent().catch(() => false))
      return { isReady: true, text: READINESS_TEXTS.noWebhooks };
    if (await deps.areLostLeft().catch(() => false)) return { isReady: true, text: READINESS_TEXTS.lostLeft };
    if (deps.wasOverdue()) return { isReady: true, text: READINESS_TEXTS.overdue };
    if (await deps.hadFaults().catch(() => false)) return { isReady: true, text: READINESS_TEXTS.faults };
    if (await deps.isBackupLate().catch(() => false))
      return { isReady: true, text: READINESS_TEXTS.noBackup };
    return { isReady: true, text: 'ok' };
  }

  async function check(): Promise<string | null> {
    try {
      await inTime(storeMs, deps.checkStore);
    } catch {
      return READINESS_TEXTS.noStore;
    }
    if (!(await canWrite())) return noWriting(await inTime(storeMs, deps.freeBytes).catch(() => null));
    if (isWithin(GITHUB_CHECK_MS, githubAcceptedAt)) return null;
    try {
      await deps.checkGitHub();
      githubAcceptedAt = performance.now();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async function canWrite(): Promise<boolean> {
    if (isWithin(WRITE_CHECK_MS, writtenAt)) return true;
    const written = write().then(
      () => true,
      () => false,
    );
    return inTime(storeMs, () => written).catch(() => isWithin(LONGEST_WRITE_MS, writtenAt));
  }
}

const isWithin = (ms: number, since: number) => performance.now() - since < ms;

const noWriting = (free: number | null) =>
  `${READINESS_TEXTS.noWrites} ${free === null ? 'Is its disk full?' : `Its disk has ${Math.floor(free / 1024 / 1024)} MB left.`}`;

/** `GET /healthz`: the process is alive, and which one it is; `commit` is null only for sources. */
export const answerAlive: RequestHandler = (_request, response) => {
  response
    .set('Cache-Control', 'no-store')
    .json({ status: 'ok', version: VERSION || null, commit: COMMIT || null });
};

/** `GET /readyz`: 503 with the reason if the product can't take work now. */
export function answerReadiness(readiness: Readiness): RequestHandler {
  return async (_request, response) => {
    const { isReady, text } = await readiness();
    response.set('Cache-Control', 'no-store').status(isReady ? 200 : 503);
    response.type('text/plain').send(text);
  };
}

const STARTING = "OTP Guard is starting and can't answer yet. Nothing is lost: try again in a moment.";

/** Answers while the product starts: it's alive and not ready, and everything else gets a sentence. */
export function createStartingApp(readReason: () => string): Express {
  const app = express().disable('x-powered-by');
  app.get('/healthz', answerAlive);
  app.get(
    '/readyz',
    answerReadiness(async () => ({ isReady: false, text: readReason() })),
  );
  app.use((_request, response) => {
    response.status(503).set({ 'Cache-Control': 'no-store', 'Retry-After': '10' });
    response.type('text/plain').send(STARTING);
  });
  return app;
}

/** While the process leaves, each answer ends its connection, so a balancer that keeps connections sends nothing into them. */
export function endConnections(isLeaving: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isLeaving()) response.set('Connection', 'close');
    next();
  };
}
