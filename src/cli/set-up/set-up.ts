import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { systemClock } from '../../clock.ts';
import { close, listen } from '../../http/server.ts';
import type { Config } from '../../settings/config.ts';
import { createAdmission } from './admission.ts';
import type { AppSettings } from './exchange-code.ts';
import { createLook } from './look.ts';
import { createOneTimeStates, randomToken } from './one-time-states.ts';
import { isComplete, type Progress, type SetUpProduct, type SetUpState } from './progress.ts';
import { setUpRoutes } from './routes.ts';

type SetUpConfig = Pick<Config, 'host' | 'port' | 'publicUrl' | 'githubUrls' | 'webhookProxyUrl'>;

export type SetUpPages = {
  /** What the operator opens; it has the one-time token. */
  address: string;
  /** The pages after the registration, for the product to serve from then on. */
  pages: RequestHandler;
  /** The product runs: the pages read from it how far the set-up is. */
  connect(product: SetUpProduct): void;
  /** Whether everything is done. The pages are closed then. */
  isDone(): Promise<boolean>;
  /** Frees the port for the product, which serves `pages` at once. */
  makeWay(): Promise<void>;
};

export type SetUp = SetUpPages & {
  port: number;
  /** Resolves when the App's credentials are in `.env`. */
  registered: Promise<AppSettings>;
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
  config: SetUpConfig,
  options: { envFile: string; answerMs?: number },
): Promise<SetUp> {
  const app = express().disable('x-powered-by');
  const server = await listen(app, { port: config.port, host: config.host ?? 'localhost' });
  const { port } = server.address() as AddressInfo;
  let resolve: (settings: AppSettings) => void;
  const registered = new Promise<AppSettings>((settle) => {
    resolve = settle;
  });
  const setUp = createPages(
    { ...config, port },
    { ...options, progress: { phase: 'register' }, onRegistered: (settings) => resolve(settings) },
  );
  app.use('/set-up', setUp.pages);
  return { ...setUp, port, registered, makeWay: () => close(server) };
}

/** The same pages for an App that is registered already. The product serves them. */
export const resumeSetUp = (config: SetUpConfig): SetUpPages =>
  createPages(config, {
    envFile: '',
    progress: { phase: 'starting', installUrl: null },
    onRegistered: () => undefined,
  });

function createPages(
  config: SetUpConfig,
  options: {
    envFile: string;
    answerMs?: number;
    progress: Progress;
    onRegistered(settings: AppSettings): void;
  },
): SetUpPages {
  const { publicUrl, githubUrls } = config;
  const origin = new URL(`http://${nameOf(config.host)}:${config.port}`).origin;
  const token = randomToken();
  let { progress } = options;
  let look: () => Promise<SetUpState> = () => Promise.reject(new Error('The product starts.'));
  const onComplete = (state: SetUpState) => {
    progress = { phase: 'done', state };
  };
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
    look: () => look(),
    onComplete,
    onRegistered({ settings, installUrl }) {
      progress = { phase: 'starting', installUrl };
      options.onRegistered(settings);
    },
  });
  return {
    address: `${origin}/set-up/${token}`,
    pages,
    connect(product) {
      look = createLook(product);
      progress = { phase: 'steps', product };
    },
    async isDone() {
      const state = await look().catch(() => null);
      if (state && isComplete(state)) onComplete(state);
      return progress.phase === 'done';
    },
    makeWay: async () => undefined,
  };
}

/** The name of the address that we listen on, as a browser calls it. */
function nameOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
