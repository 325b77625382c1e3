import type { AddressInfo } from 'node:net';
import express from 'express';
import { close, listen } from '../../http/server.ts';
import type { Config } from '../../settings/config.ts';
import { createAdmission, randomToken } from './admission.ts';
import { createRegistration } from './registration.ts';
import { setUpRoutes } from './routes.ts';

type SetUpConfig = Pick<Config, 'host' | 'port' | 'publicUrl' | 'githubUrls' | 'webhookProxyUrl'>;

export type SetUp = {
  /** What the operator opens; it has the one-time token. */
  address: string;
  port: number;
  /** Resolves when the App's credentials are in `.env`. */
  registered: Promise<Record<string, string>>;
  /** Frees the port for the product. */
  close(): Promise<void>;
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
  { envFile, answerMs }: { envFile: string; answerMs?: number },
): Promise<SetUp> {
  const { publicUrl, githubUrls } = config;
  const app = express().disable('x-powered-by');
  const server = await listen(app, { port: config.port, host: config.host ?? 'localhost' });
  const { port } = server.address() as AddressInfo;
  const origin = new URL(`http://${nameOf(config.host)}:${port}`).origin;
  const token = randomToken();
  const addresses = {
    publicUrl,
    webhookUrl: config.webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`,
    serverUrl: githubUrls.serverUrl,
  };
  const registered = new Promise<Record<string, string>>((resolve) => {
    const registration = createRegistration({
      ...{ origin, addresses, apiUrl: githubUrls.apiUrl, envFile, answerMs },
      onRegistered: ({ settings }) => resolve(settings),
    });
    const admission = createAdmission(token);
    app.use('/set-up', setUpRoutes({ origin, addresses, admission, registration }));
  });
  return { address: `${origin}/set-up/${token}`, port, registered, close: () => close(server) };
}

/** The name of the address that we listen on, as a browser calls it. */
function nameOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
