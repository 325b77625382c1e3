import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { close, listen } from '../http/server.ts';
import { createAdmission } from './admission.ts';
import type { AppSettings } from './exchange-code.ts';
import { createOneTimeStates, randomToken } from './one-time-states.ts';
import type { Progress } from './progress.ts';
import { setUpRoutes } from './routes.ts';

export type SetUp = {
  /** What the operator opens; it has the one-time token. */
  address: string;
  port: number;
  /** Resolves when the App's credentials are in `.env`. */
  registered: Promise<AppSettings>;
  /** The last page, for the product to serve from then on. */
  pages: RequestHandler;
  /** Frees the port for the product, which serves `pages` at once. */
  makeWay(): Promise<void>;
  /** Called for each webhook with a valid signature. */
  onWebhook(): void;
};

/**
 * Serves the pages that register the App, on this machine only unless HOST says
 * otherwise. The token is in the path, not in the fragment, so that the pages
 * work without JavaScript. The first page that it opens already has another
 * address, we log none, and GitHub never sees it.
 *
 * @throws StartError if the port can't be used.
 */
export async function startSetUp(
  config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'githubUrls' | 'webhookProxyUrl'>,
  options: { envFile: string; answerMs?: number },
): Promise<SetUp> {
  const { publicUrl, githubUrls } = config;
  const app = express().disable('x-powered-by');
  const server = await listen(app, { port: config.port, host: config.host ?? 'localhost' });
  const { port } = server.address() as AddressInfo;
  const origin = new URL(`http://${nameOf(config.host)}:${port}`).origin;
  const token = randomToken();
  let progress: Progress = { registered: false };
  let resolve: (settings: AppSettings) => void;
  const registered = new Promise<AppSettings>((settle) => {
    resolve = settle;
  });
  const pages = setUpRoutes({
    envFile: options.envFile,
    answerMs: options.answerMs,
    origin,
    apiUrl: githubUrls.apiUrl,
    facts: {
      publicUrl,
      webhookUrl: config.webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`,
      serverUrl: githubUrls.serverUrl,
    },
    admission: createAdmission(token),
    states: createOneTimeStates(systemClock),
    unsaved: new Map(),
    progress: () => progress,
    onRegistered({ settings, installUrl }) {
      progress = { registered: true, step: 'starting', installUrl };
      resolve(settings);
    },
  });
  app.use('/set-up', pages);
  const advance = (step: 'waiting' | 'done') => {
    if (progress.registered) progress = { ...progress, step };
  };
  return {
    address: `${origin}/set-up/${token}`,
    port,
    registered,
    pages,
    async makeWay() {
      await close(server);
      advance('waiting');
    },
    onWebhook: () => advance('done'),
  };
}

/** The name of the address that we listen on, as a browser calls it. */
function nameOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
