import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { GitHubApp } from '../adapters/github/app.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { memberQueries } from '../adapters/pocketbase/collections.ts';
import { createReadMyUserRecord } from '../adapters/pocketbase/people/sessions.ts';
import { createReceiveWebhook } from '../bot/receive-webhook.ts';
import { createHttpApp } from '../http/app.ts';
import type { Leaving, Readiness } from '../http/readiness.ts';
import { recordApi } from '../http/record-api/router.ts';
import { signIn } from '../people/sign-in.ts';
import type { HealthDeps } from '../protection/organization-health.ts';
import type { RegisteredConfig } from '../settings/config.ts';
import type { Limits } from '../shared/limits.ts';
import { VERSION } from '../shared/version.ts';
import type { Assembly } from './assemble.ts';
import type { Metrics } from './metrics.ts';

const BUILT_DASHBOARD = fileURLToPath(new URL('../web', import.meta.url));

/** The product's parts, once the store and GitHub have accepted us. */
export type Started = {
  config: RegisteredConfig;
  options: { log: Logger; dashboardDir?: string; callLimits?: Limits | undefined };
  metrics: Metrics | undefined;
  app: GitHubApp;
  client: StoreClient;
  limits: Limits;
  installUrl: string;
};

/** The HTTP server over the assembled product. */
export function createServerApp(
  started: Started,
  deps: Assembly & {
    readiness: Readiness & Leaving;
    ofHealth: Pick<HealthDeps, 'checkRepositoriesSoon' | 'dailyBackup'>;
  },
  onShed: () => void,
): Express {
  const { config, options, metrics, app, client } = started;
  const { publicUrl, trustProxy, github } = config;
  return createHttpApp({
    admission: {
      ...deps.admission,
      limits: options.callLimits ?? started.limits,
      githubBudget: app.budget,
    },
    rooms: { ...deps.rooms, protection: { ...deps.rooms.protection, ...deps.ofHealth } },
    webhooks: {
      receive: createReceiveWebhook({
        probot: app.probot,
        appId: github.appId,
        deliveries: deps.bot.deliveries,
        headTurns: deps.bot.headTurns,
        log: options.log,
        onUnfinished: deps.process.unfinished.track,
        onWebhook(event, outcome) {
          metrics?.webhook(event, outcome);
        },
      }),
      onShed() {
        metrics?.webhook('unread', 'dropped');
        onShed();
      },
    },
    readiness: deps.readiness,
    isLeaving: deps.readiness.isLeaving,
    readPublishedList: deps.readPublishedList,
    unsubscribeLinks: deps.unsubscribeLinks,
    recordApi: recordApi({
      url: client.url,
      publicUrl,
      sessions: deps.signIn.sessions,
      refreshMemberships: deps.signIn.refreshMemberships,
      memberQueries,
      readMyUserRecord: createReadMyUserRecord(client, publicUrl),
      finishSignIn: (input) => signIn(deps.signIn, input),
    }),
    dashboardDir: options.dashboardDir ?? BUILT_DASHBOARD,
    publicUrl,
    githubUrl: github.serverUrl,
    githubApiUrl: github.apiUrl,
    installUrl: started.installUrl,
    version: VERSION,
    trustProxy,
    metrics: metrics && { ...metrics, token: config.metricsToken ?? '' },
    log: options.log,
  });
}
