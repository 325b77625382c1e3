import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createGitHubApp } from '../adapters/github/app.ts';
import {
  type AppAtGitHub,
  GitHubAway,
  isOlderThanChecked,
  OLDEST_CHECKED,
  requireCredentials,
} from '../adapters/github/app-registration.ts';
import type { WrapSend } from '../adapters/github/fetch.ts';
import { DAILY, tooMany } from '../adapters/pocketbase/backups/backup-folder.ts';
import {
  createBackupTurns,
  createDailyBackups,
  type DailyBackups,
} from '../adapters/pocketbase/backups/daily-backups.ts';
import { upgradeStore, writeBackup } from '../adapters/pocketbase/backups/write-backup.ts';
import { createStoreClient, type StoreClient } from '../adapters/pocketbase/client.ts';
import { requireMigrated } from '../adapters/pocketbase/migrate.ts';
import type { StoreAddress } from '../adapters/pocketbase/process/process-marker.ts';
import { type Store, startStore } from '../adapters/pocketbase/process/start-store.ts';
import { deleteExpired } from '../adapters/pocketbase/records/delete-expired.ts';
import { requireWritable } from '../adapters/pocketbase/records/one-time-keys.ts';
import { connectLimits, type SharedLimits } from '../adapters/redis/redis-limits.ts';
import { createS3Copies } from '../adapters/s3/s3-copies.ts';
import { sweep } from '../approvals/reconcile/reconcile.ts';
import { silentInstallations } from '../approvals/reconcile/watch-green-heads.ts';
import { trustAttestationRoots } from '../authenticators/register/attestation.ts';
import { reconcileDeployments } from '../deployments/review/reconcile-deployments.ts';
import { createReadiness, createStartingApp, LONGEST_WRITE_MS } from '../http/readiness.ts';
import { close, DRAIN_MS, listen } from '../http/server.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { createDeliveryRounds } from '../outgoing-webhooks/deliver.ts';
import { mailWeakenings } from '../protection/mail-weakenings.ts';
import { type Config, isProxyUnknown, type RegisteredConfig } from '../settings/config.ts';
import { AppError } from '../shared/app-error.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import type { Limits } from '../shared/limits.ts';
import type { Log } from '../shared/log-events.ts';
import { COMMIT, VERSION } from '../shared/version.ts';
import { inTurn } from '../shared/work.ts';
import { assemble, type Waits } from './assemble.ts';
import probotApp from './probot-app.ts';
import { disksOf, readingsOf } from './readings.ts';
import { endInterruptedRestore } from './replace-records.ts';
import { startScheduler } from './scheduler.ts';
import { createServerApp, type Started } from './serve.ts';

export type Product = Awaited<ReturnType<typeof startProduct>>;

/**
 * How long a process that left its balancer may take for what it began; with `shutdown.ts`, a service manager's ten
 * seconds are enough.
 */
const LONGER_DRAIN_MS = 4_000;

export type ProductOptions = {
  log: Logger;
  /** Tests move it. */
  clock?: Clock;
  dashboardDir?: string;
  /** The record store, if the caller has begun to start it. It's ended if the product doesn't start. */
  store?: Promise<Store>;
  /** Tests shorten them. */
  waits?: Waits;
  /** Tests read each request to GitHub, and can answer it themselves. */
  wrapSend?: WrapSend | undefined;
  /** Counts people's calls. Tests that ask again and again lift it. */
  callLimits?: Limits | undefined;
};

const BUILD = { version: VERSION, commit: COMMIT || undefined };

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 10_000];

/**
 * Starts the product: the record store, the bot and the HTTP server. While GitHub or an external record store is away,
 * the server says so, and this asks again until they are back.
 *
 * @throws StartError with one sentence if waiting doesn't help.
 */
export async function startProduct(config: RegisteredConfig, options: ProductOptions) {
  const log: Log = options.log;
  log.info({ event: 'starting', ...BUILD }, 'starting');
  if (isProxyUnknown(config)) {
    log.warn(
      { event: 'proxy_unknown' },
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all people seem to have one address. Set TRUST_PROXY to the number of proxies',
    );
  }
  // Loaded only if it's needed, because that takes a while.
  const metrics =
    config.metricsToken === undefined ? undefined : (await import('./metrics.ts')).createMetrics();
  const starting = options.store ?? startStore(config, log);
  // Awaited below.
  starting.catch(() => undefined);
  let limits: Awaited<ReturnType<typeof connectLimits>> | undefined;
  let server: Server | undefined;
  let reason = 'OTP Guard is starting.';
  let answer: RequestListener = createStartingApp(() => reason);
  const onAway = (error: Error) => {
    reason = error.message;
    log.warn({ event: 'start_waits', reason }, 'GitHub or the record store is away; the start waits for it');
  };
  const stopStore = async () => {
    limits?.close();
    await (await starting).stop();
  };
  try {
    server = await listen((request, response) => answer(request, response), config);
    limits = await connectLimits(config.redisUrl, { appId: config.github.appId, log });
    const app = createGitHubApp(config.github, {
      log: options.log,
      limits,
      writes: options.waits?.writes,
      onAnswer: metrics?.github,
      wrapSend: options.wrapSend,
      answerMs: options.waits?.answerMs,
      retryMs: options.waits?.retryMs,
    });
    // GitHub answers while the store starts.
    const registering = untilBack(() => requireCredentials(app), { isAway: isGitHubAway, onAway });
    registering.catch(() => undefined);
    const { address } = await starting;
    // The embedded store was healthy a moment ago: it's damaged or its disk is full, and a new start says so.
    const isAway = (error: Error) => config.store.kind === 'external' && isStoreAway(error);
    const client = await untilBack(() => openStore(config, address, options), { isAway, onAway });
    const { installUrl, ...registration } = await registering;
    logGitHub(log, registration);
    const started = { config, options, metrics, app, client, limits, installUrl, stopStore };
    return await run(started, server, (ready) => {
      answer = ready;
    });
  } catch (error) {
    server?.close();
    server?.closeAllConnections();
    // If the store is what failed, there's nothing to stop.
    await stopStore().catch(() => undefined);
    throw error;
  }
}

/** Brings the store to this version's schema, with a client that works with it. */
async function openStore(
  config: RegisteredConfig,
  address: StoreAddress,
  { log, clock = systemClock }: ProductOptions,
): Promise<StoreClient> {
  const dataDir = config.store.kind === 'embedded' ? config.store.dataDir : undefined;
  await endInterruptedRestore({ config, client: createStoreClient(address), log });
  const client = createStoreClient(address, { dataDir, clock });
  const applied = await upgradeStore(client, config, config.github);
  if (applied)
    log.info({ event: 'schema_applied', ...applied, ...BUILD }, "changed the record store's schema");
  return client;
}

const isGitHubAway = (error: Error) => error instanceof GitHubAway;
const isStoreAway = (error: Error) =>
  [error, error.cause].some((one) => one instanceof AppError && one.code === 'storeUnavailable');

/** Does `work` again, after growing pauses, while GitHub or the store is away. */
async function untilBack<T>(
  work: () => Promise<T>,
  { isAway, onAway }: { isAway(error: Error): boolean; onAway(error: Error): void },
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error as Error)) throw error;
      onAway(error as Error);
      await delay(pause);
    }
  }
}

function logGitHub(
  log: Log,
  { slug, enterpriseVersion }: Pick<AppAtGitHub, 'slug' | 'enterpriseVersion'>,
): void {
  const server = enterpriseVersion === null ? {} : { enterpriseServer: enterpriseVersion };
  log.info({ event: 'github_signed_in', app: slug, ...server }, 'signed in to GitHub as the App');
  if (enterpriseVersion !== null && isOlderThanChecked(enterpriseVersion))
    log.warn(
      { event: 'enterprise_server_old', ...server },
      `this Enterprise Server is older than ${OLDEST_CHECKED}, the oldest that OTP Guard was compared with; some things may not work`,
    );
}

async function run(
  started: Started & { options: ProductOptions; limits: SharedLimits; stopStore(): Promise<void> },
  server: Server,
  open: (answer: RequestListener) => void,
) {
  const { config, options, metrics, app, client } = started;
  const { clock = systemClock, waits = {} } = options;
  const log: Log = options.log;
  trustAttestationRoots(config.attestationRoots);
  const deps = assemble(config, { app, client, log, clock, waits, metrics });
  const { reconcile } = deps.rounds;
  const { mailer } = deps.rounds.notices;
  const backups = connectBackups(config, { client, clock, log });
  const dailyBackup = async () =>
    backups ? { last: await backups.lastMade(), isLate: await backups.isLate() } : null;
  const disks = disksOf(config);
  // The first start makes the signing key, so that the list that people keep has it before the first approval.
  await deps.process.signingKeys.current().catch((error: unknown) => {
    // The product starts: it still takes approvals away. Nothing can be approved without a signature of the log.
    log.error(
      { event: 'signing_key_unusable', err: error },
      'the signing key of the log can’t be used; nothing can be approved',
    );
  });
  await app.probot.load((bot) => probotApp(bot, { deps: { ...deps.bot, log } }));
  const readiness = createReadiness({
    checkStore: () => requireMigrated(client),
    checkWrites: () => requireWritable(client, { waitMs: LONGEST_WRITE_MS }),
    freeBytes: disks.data,
    checkGitHub: () => requireCredentials(app),
    areWebhooksSilent: async () => (await silentInstallations(reconcile)).length > 0,
    areLostLeft: async () => (await reconcile.lostAuthenticators.pending()).length > 0,
    wasOverdue: deps.process.wasOverdue,
    hadFaults: async () => ((await reconcile.reconcileReports.latest())?.report.faults.length ?? 0) > 0,
    isBackupLate: async () => (await dailyBackup())?.isLate ?? false,
  });
  metrics?.addReadings(readingsOf(deps, { backups, disks, limits: started.limits, readiness }));
  // An embedded record store has one process.
  const rounds = config.store.kind === 'external' ? deps.process.leases.open('rounds') : undefined;
  const deliveryRounds = createDeliveryRounds({
    ...deps.process,
    ...deps.rounds.deliveries,
    hasRounds: () => rounds?.isHeld() ?? true,
  });
  const scheduler = startScheduler({
    ...waits,
    ...deps.rounds,
    clock,
    onOverdue: deps.process.onOverdue,
    deleteExpired: () => deleteExpired(client, clock.now()),
    sendNotices: async (isStopping) => {
      if (!mailer) return;
      const send = () => sendNotices({ ...deps.rounds.notices, mailer, isStopping });
      await inTurn([() => mailWeakenings(deps.rounds.weakenings), send], (work) => work());
    },
    queuePullNotices: async () => {
      if (mailer) await deps.rounds.queuePullNotices();
    },
    deliverOutgoingWebhooks: deliveryRounds.round,
    backUp: async () => backups?.round(),
    rounds,
    log,
  });
  const { checkRepositoriesSoon, reconcileSoon } = scheduler;
  open(
    createServerApp(
      started,
      { ...deps, readiness, ofHealth: { checkRepositoriesSoon, dailyBackup } },
      reconcileSoon,
    ),
  );
  return {
    /** The port that the server listens on. */
    port: (server.address() as AddressInfo).port,
    /** Resolves when the first reconciliation has ended, even if it failed. */
    firstRound: scheduler.firstRound,
    /** Reconciles every open pull request now. */
    async reconcile() {
      const report = await sweep(reconcile);
      await reconcileDeployments(deps.rounds.deployments);
      return report;
    },
    /** Takes no new requests, answers the open ones, finishes its work, and ends the record store. */
    async stop(): Promise<void> {
      const isOneOfMany = config.store.kind === 'external';
      scheduler.stop();
      // The process that takes the rounds over immediately delivers what these deliveries haven't saved.
      const deliveriesOver = deliveryRounds.stop().then(deps.process.leases.end);
      const roundsOver = Promise.all([scheduler.over(), deliveriesOver]);
      // Others take over: the balancer should send them what comes now.
      if (isOneOfMany) await readiness.leave();
      const drainMs = waits.drainMs ?? (isOneOfMany ? LONGER_DRAIN_MS : DRAIN_MS);
      const drained = delay(drainMs, undefined, { ref: false });
      await close(server, drainMs);
      // Work after an answer counts too: nobody would send that request again.
      await Promise.race([drained, Promise.all([roundsOver, deps.process.unfinished.over()])]);
      mailer?.close();
      deps.rounds.deliveries.sender.close();
      await started.stopStore();
    },
  };
}

/** Null if OTP Guard makes no automatic backups. */
function connectBackups(
  config: Config,
  { client, clock, log }: { client: StoreClient; clock: Clock; log: Log },
): DailyBackups | null {
  const { folder, s3 } = config.backup;
  if (folder === null) return null;
  return createDailyBackups({
    folder,
    copy: s3 ? createS3Copies(s3, { tooMany: (names) => tooMany(DAILY, names) }).copy : undefined,
    write: (path, now) => writeBackup({ config, client }, { path, now }),
    clock,
    turns: createBackupTurns(client),
    onMade: (file) => log.info({ event: 'backup_made', file }, 'made the backup of this day'),
    onFailed: (error) =>
      log.error(
        { event: 'backup_failed', err: error },
        'the backup of this day failed; it will be tried again',
      ),
  });
}
