import { createServer } from 'node:net';
import { type Config, ConfigError, type GitHubConfig, loadDotEnv, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { startProduct } from './product.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { StartError } from './start-error.ts';

/** `npm start`: starts the product with the settings of the environment and `.env`. */
async function main(): Promise<void> {
  loadDotEnv();
  const config = readConfig();
  if (!isRegistered(config)) return setUp(config);

  const log = await createLog(config);
  const product = await startProduct(config, { log });
  shutDownOnSignal(() => product.stop());
  if (config.webhookProxyUrl) await forwardWebhooks(config.webhookProxyUrl, product.port);
  process.stdout.write(`${JSON.stringify({ ready: true, dashboard: config.publicUrl })}\n`);
}

function isRegistered(config: Config): config is Config & { github: GitHubConfig } {
  return config.github !== null;
}

/** Serves Probot's set-up page, which registers the App from `app.yml` and writes `.env`. On this machine only. */
async function setUp(config: Config): Promise<void> {
  const host = config.host ?? 'localhost';
  await requireFreePort(config.port, host);
  const { run } = await import('probot');
  process.env.NO_SMEE_SETUP ??= 'true';
  process.stderr.write(
    `There is no GitHub App yet. Open http://${host}:${config.port}/probot to register one, then start again.\n`,
  );
  const env = { ...process.env, PORT: String(config.port), HOST: host };
  await run(() => undefined, { env, log: await createLog(config) });
}

/** Probot would print a stack if the port is taken. */
function requireFreePort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', () => reject(new StartError(`Port ${port} is taken. Set PORT to a free one.`)));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** Receives webhooks through a smee channel, for a machine that GitHub can't reach. */
async function forwardWebhooks(source: string, port: number): Promise<void> {
  const { SmeeClient } = await import('smee-client');
  await new SmeeClient({ source, target: `http://localhost:${port}/api/github/webhooks` }).start();
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof StartError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`OTP Guard could not start: ${(error as Error)?.message ?? 'unknown reason'}\n`);
  process.exit(1);
});
