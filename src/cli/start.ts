import { join, resolve } from 'node:path';
import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import { startStore } from '../adapters/pocketbase/process/start-store.ts';
import type { Product, ProductOptions } from '../app/product.ts';
import { endWhenUncaught, shutDownOnSignal } from '../app/shutdown.ts';
import {
  type Config,
  ConfigError,
  dataDirOf,
  loadDotEnv,
  type RegisteredConfig,
  readConfig,
  settingHints,
} from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { createLog } from '../shared/log.ts';
import { sayWaiting } from './print.ts';

/**
 * `otp-guard start`: starts the product with the settings of the environment and `.env`. Without an App, registers one
 * first. Ends the process if it can't start.
 *
 * @param options.isSetUp For `otp-guard setup`: also prints the page that says what is next if there is an App already.
 */
export async function start({ isSetUp = false } = {}): Promise<void> {
  // A line that a full disk doesn't take must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  try {
    await startFromSettings(isSetUp);
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartError;
    const reason = (error as Error)?.message ?? 'unknown reason';
    process.stderr.write(isExpected ? `${reason}\n` : `OTP Guard could not start: ${reason}\n`);
    // The parts that have started by then don't end on their own.
    process.exit(1);
  }
}

async function startFromSettings(isSetUp: boolean): Promise<void> {
  loadDotEnv();
  for (const hint of settingHints()) process.stderr.write(`${hint}\n`);
  const config = readConfig();
  await goThroughProxy(config.outgoingProxy);
  let product: Product | undefined;
  shutDownOnSignal(async () => product?.stop(), { isOneOfMany: config.store.kind === 'external' });
  const registered = isRegistered(config) ? config : await registerApp(config);
  const log = await createLog(config);
  endWhenUncaught(log);
  product = await startOverStore(registered, { log });
  if (config.webhookProxyUrl) await forwardWebhooks(config.webhookProxyUrl, product.port);
  process.stdout.write(`${JSON.stringify({ ready: true, dashboard: config.publicUrl })}\n`);
  if (isSetUp || registered !== config)
    process.stderr.write(`Open this address to see what is next:\n\n  ${config.publicUrl}/org\n\n`);
}

/** Starts the record store while the product's code is loaded, which takes as long. */
async function startOverStore(config: RegisteredConfig, options: ProductOptions): Promise<Product> {
  const store = startStore(config, options.log, { onWait: sayWaiting });
  // `startProduct` awaits it once that code is loaded.
  store.catch(() => undefined);
  const { startProduct } = await import('../app/product.ts');
  return startProduct(config, { ...options, store });
}

const isRegistered = (config: Config): config is RegisteredConfig => config.github !== null;

/** Waits until an operator registered the App on the set-up page, whose code most starts don't load. */
async function registerApp(config: Config): Promise<RegisteredConfig> {
  const [{ startSetUp }, { findWritable }] = await Promise.all([
    import('./set-up/set-up.ts'),
    import('./set-up/env-file.ts'),
  ]);
  const envFile = await findWritable([resolve('.env'), join(dataDirOf(process.env), '.env')]);
  const setUp = await startSetUp(config, { envFile });
  process.stderr.write(
    `There is no GitHub App yet. Open this address to register one:\n\n  ${setUp.address}\n\n`,
  );
  const settings = await setUp.registered;
  await setUp.close();
  // The port that the set-up page had, even if PORT is 0.
  const registered = readConfig({ ...process.env, ...settings, PORT: String(setUp.port) });
  if (!isRegistered(registered)) throw new StartError('The App is registered. Start again.');
  return registered;
}

/** Receives webhooks through a smee channel, for a machine that GitHub can't reach. */
async function forwardWebhooks(source: string, port: number): Promise<void> {
  const { SmeeClient } = await import('smee-client');
  await new SmeeClient({ source, target: `http://localhost:${port}/api/github/webhooks` }).start();
}
