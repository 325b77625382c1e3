import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createCurrentMemberships } from './accounts/current-memberships.ts';
import { sendNotices } from './accounts/send-notices.ts';
import { signIn } from './accounts/sign-in.ts';
import type { SweepReport } from './approvals/ports.ts';
import { sweep } from './approvals/sweep.ts';
import { assemble, type Waits } from './assemble.ts';
import { registerHandlers } from './bot/handlers.ts';
import { createReceive } from './bot/receive.ts';
import { startSweeper } from './bot/sweeper.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config, GitHubConfig } from './config.ts';
import { createGitHubApp, type GitHubApp } from './github/app.ts';
import { requireCredentials } from './github/credentials.ts';
import { createHttpApp } from './http/app.ts';
import { createMetrics } from './metrics.ts';
import { StartError } from './start-error.ts';
import { recordStoreApi } from './store/api.ts';
import { createStoreClient, type StoreClient } from './store/client.ts';
import { openStore, prepareStore } from './store/open.ts';
import { createOwnRecord } from './store/own-record.ts';
import { sweepExpired } from './store/sweep.ts';

export type Product = {
  /** The port that it listens on. */
  port: number;
  /** Resolves when the pull requests that were open at the start have been looked at once. */
  covered: Promise<void>;
  /** Looks at every open pull request now. */
  sweep(): Promise<SweepReport>;
  /** Ends it all: no new requests, open ones answered, the record store's process gone. */
  stop(): Promise<void>;
};

const BUILT_DASHBOARD = fileURLToPath(new URL('./web', import.meta.url));
const DRAIN_MS = 2_000;
/** Longer than proxies keep a connection that nobody uses (60 s, mostly), so that they close it and never we under a request. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Starts the product: the record store, the bot and the server, wired.
 *
 * @param options.clock Time, where a test wants to move it.
 * @param options.waits What a test wants to be shorter.
 * @throws StartError with one sentence.
 */
export async function startProduct(
  config: Config & { github: GitHubConfig },
  options: { log: Logger; clock?: Clock; dashboardDir?: string; waits?: Waits },
): Promise<Product> {
  const { github } = config;
  const { log, clock = systemClock, waits = {} } = options;
  const metrics = config.metricsToken === undefined ? undefined : createMetrics();
  const app = createGitHubApp(github, {
    log,
    redisUrl: config.redisUrl,
    onAnswer: metrics?.github,
    answerMs: waits.answerMs,
  });
  const store = await openStore(config, log);
  let server: Server | undefined;
  try {
    const client = createStoreClient(
      store.address,
      config.store.kind === 'embedded' ? config.store.dataDir : undefined,
    );
    const [, atGitHub] = await Promise.all([prepareStore(client, config, github), requireCredentials(app)]);
    log.info({ app: atGitHub.slug }, 'signed in to GitHub as the App');

    const deps = assemble(config, { app, client, log, clock, waits });
    const { mailer, organizations, users, tokens } = deps;
    metrics?.read({
      unreported: async () => (await deps.approvals.unreported()).length,
      notices: deps.notices.count,
      sweep: async () => {
        const latest = await deps.sweeps.latest();
        return latest && { at: latest.at.getTime() / 1000, faults: latest.report.faults.length };
      },
    });
    await app.probot.ready();
    registerHandlers(app.probot, deps);
    const http = createHttpApp({
      calls: deps,
      receive: createReceive({
        probot: app.probot,
        deliveries: deps.deliveries,
        log,
        onWebhook: metrics?.webhook,
      }),
      readiness: createReadiness(client, app),
      recordStoreApi: recordStoreApi({
        url: client.url,
        publicUrl: config.publicUrl,
        begin: deps.sessions.begin,
        ownRecord: createOwnRecord(client),
        sessions: deps.sessions,
        current: createCurrentMemberships(deps),
        signedIn: (who) => signIn({ tokens, users, organizations }, who),
      }),
      dashboardDir: options.dashboardDir ?? BUILT_DASHBOARD,
      publicUrl: config.publicUrl,
      githubUrl: github.serverUrl,
      githubApiUrl: github.apiUrl,
      installUrl: atGitHub.installUrl,
      trustProxy: config.trustProxy,
      metrics: metrics && { ...metrics, token: config.metricsToken ?? '' },
      log,
    });
    const listening = await listen(http, config);
    server = listening;
    const sweeper = startSweeper({
      ...deps,
      expire: () => sweepExpired(client, clock.now()),
      send: async () => {
        if (mailer) await sendNotices({ ...deps, mailer });
      },
      log,
    });
    return {
      port: (listening.address() as AddressInfo).port,
      covered: sweeper.covered,
      sweep: () => sweep(deps),
      async stop() {
        sweeper.stop();
        await close(listening);
        mailer?.close();
        await store.stop();
      },
    };
  } catch (error) {
    server?.close();
    await store.stop();
    throw error;
  }
}

/** Asks again at most every half minute: a probe must not cost GitHub a request each time. */
const READY_FOR_MS = 30_000;
/** An answer, good or bad, holds for as long: whoever asks more often gets the same. */
const ANSWER_HOLDS_MS = 2_000;

function createReadiness(client: StoreClient, app: GitHubApp): () => Promise<string | null> {
  let githubUntil = Date.now() + READY_FOR_MS;
  let held: { answer: Promise<string | null>; until: number } | undefined;
  return () => {
    if (held === undefined || held.until <= Date.now())
      held = { answer: look(), until: Date.now() + ANSWER_HOLDS_MS };
    return held.answer;
  };

  async function look(): Promise<string | null> {
    try {
      await client.run((records) => records.collection('schema_versions').getList(1, 1, { skipTotal: true }));
    } catch {
      return 'The record store does not answer.';
    }
    const isFresh = githubUntil > Date.now();
    if (isFresh) return null;
    try {
      await requireCredentials(app);
      githubUntil = Date.now() + READY_FOR_MS;
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function listen(http: ReturnType<typeof createHttpApp>, config: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server =
      config.host === undefined ? http.listen(config.port) : http.listen(config.port, config.host);
    server.requestTimeout = 60_000;
    server.headersTimeout = 20_000;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.once('listening', () => resolve(server));
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${config.port} is taken. Set PORT to a free one.`
          : `Cannot listen on port ${config.port} (${error.code}). Set HOST and PORT.`;
      reject(new StartError(reason));
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(impatient);
}
