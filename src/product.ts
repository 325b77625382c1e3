import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createCurrentMemberships } from './accounts/current-memberships.ts';
import { createSignEmail } from './accounts/email.ts';
import { sendNotices } from './accounts/send-notices.ts';
import { createTokenChecks } from './accounts/session.ts';
import { signIn } from './accounts/sign-in.ts';
import { createSealer } from './authenticators/seal.ts';
import { registerHandlers } from './bot/handlers.ts';
import { createReceive } from './bot/receive.ts';
import { startSweeper } from './bot/sweeper.ts';
import { type Clock, systemClock, systemRandom } from './clock.ts';
import type { Config, GitHubConfig } from './config.ts';
import { createGitHubApp, type GitHubApp } from './github/app.ts';
import { createCheckRuns } from './github/check-runs.ts';
import { requireCredentials } from './github/credentials.ts';
import { createInstallations } from './github/installations.ts';
import { createMembers } from './github/members.ts';
import { createPullRequests } from './github/pull-requests.ts';
import { createUserTokens } from './github/user-tokens.ts';
import { createHttpApp } from './http/app.ts';
import { createSmtpMailer } from './mail/smtp.ts';
import { secretKeys } from './secret-key.ts';
import { StartError } from './start-error.ts';
import { recordStoreApi } from './store/api.ts';
import { createApprovals } from './store/approvals.ts';
import { createChallenges } from './store/challenges.ts';
import { createStoreClient, type StoreClient } from './store/client.ts';
import { createCodeFailures } from './store/code-failures.ts';
import { createCredentials } from './store/credentials.ts';
import { createDeliveries } from './store/deliveries.ts';
import { createEmailCodes } from './store/email-codes.ts';
import { createMemberships } from './store/memberships.ts';
import { createNotices } from './store/notices.ts';
import { openStore, prepareStore } from './store/open.ts';
import { createOpenPulls } from './store/open-pulls.ts';
import { createOrganizations } from './store/organizations.ts';
import { createOwnRecord } from './store/own-record.ts';
import { createQuota } from './store/quota.ts';
import { createRuns } from './store/runs.ts';
import { createSessions } from './store/sessions.ts';
import { sweepExpired } from './store/sweep.ts';
import { createTotpApps } from './store/totp-apps.ts';
import { createUsers } from './store/users.ts';

export type Product = {
  /** The port that it listens on. */
  port: number;
  /** Resolves when the pull requests that were open at the start have been looked at once. */
  covered: Promise<void>;
  /** Ends it all: no new requests, open ones answered, the record store's process gone. */
  stop(): Promise<void>;
};

const BUILT_DASHBOARD = fileURLToPath(new URL('./web', import.meta.url));
const DRAIN_MS = 2_000;

/**
 * Starts the product: the record store, the bot and the server, wired.
 *
 * @param options.clock Time, where a test wants to move it.
 * @throws StartError with one sentence.
 */
export async function startProduct(
  config: Config & { github: GitHubConfig },
  options: { log: Logger; clock?: Clock; dashboardDir?: string },
): Promise<Product> {
  const { github } = config;
  const { log, clock = systemClock } = options;
  const app = createGitHubApp(github, { log, redisUrl: config.redisUrl });
  const store = await openStore(config, log);
  let server: Server | undefined;
  try {
    const client = createStoreClient(store.address);
    const [, atGitHub] = await Promise.all([prepareStore(client, config, github), requireCredentials(app)]);
    log.info({ app: atGitHub.slug }, 'signed in to GitHub as the App');

    const keys = secretKeys(config);
    const organizations = createOrganizations(client);
    const users = createUsers(client);
    const notices = createNotices(client);
    const mailer = config.mail && createSmtpMailer({ ...config.mail, origin: config.publicUrl, log });
    const tokens = createUserTokens(app, github.serverUrl);
    const members = createMembers(app);
    const deps = {
      installations: createInstallations(app, github.serverUrl),
      organizations,
      memberships: createMemberships(client),
      users,
      notices,
      mailer,
      emailCodes: createEmailCodes(client),
      quota: createQuota(client),
      signEmail: createSignEmail(keys[0]),
      members,
      access: members,
      pulls: createPullRequests(app),
      checkRuns: createCheckRuns(app, github.appId),
      approvals: createApprovals(client),
      openPulls: createOpenPulls(client),
      runs: createRuns(client),
      challenges: createChallenges(client),
      credentials: createCredentials(client),
      totpApps: createTotpApps(client, createSealer(keys)),
      codeFailures: createCodeFailures(client),
      sessions: createSessions(client),
      checkToken: createTokenChecks(tokens, clock),
      relyingParty: {
        id: new URL(config.publicUrl).hostname,
        name: 'OTP Guard' as const,
        origin: config.publicUrl,
      },
      places: { publicUrl: config.publicUrl, githubUrl: github.serverUrl },
      githubUrl: github.serverUrl,
      owed: new Map(),
      clock,
      random: systemRandom,
      onDelay: (error: unknown) => log.warn({ err: error }, 'approval stored; GitHub hears of it later'),
      onFault: (error: unknown, at: object) => log.warn({ ...at, err: error }, 'not covered yet'),
    };
    const onUnsent = (error: unknown, { kind, tries }: { kind: string; tries: number }) =>
      log.warn({ err: error, kind, tries }, 'a message was not sent');
    await app.probot.ready();
    registerHandlers(app.probot, deps);
    const http = createHttpApp({
      calls: deps,
      receive: createReceive({ probot: app.probot, deliveries: createDeliveries(client), log }),
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
      log,
    });
    const listening = await listen(http, config);
    server = listening;
    const sweeper = startSweeper({
      ...deps,
      expire: () => sweepExpired(client, clock.now()),
      send: async () => {
        if (mailer) await sendNotices({ notices, users, mailer, clock, onUnsent });
      },
      log,
    });
    return {
      port: (listening.address() as AddressInfo).port,
      covered: sweeper.covered,
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
