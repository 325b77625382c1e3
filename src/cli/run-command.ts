import type { Logger } from 'pino';
import { type Config, ConfigError, type GitHubConfig, loadDotEnv, readConfig } from '../config.ts';
import type { Limits } from '../limits.ts';
import { createLog } from '../log.ts';
import { createStoreClient, type StoreClient } from '../pocketbase/client.ts';
import { findOrStartStore, type Store } from '../pocketbase/process/start-store.ts';
import type { StoreAddress } from '../pocketbase/process/store-address.ts';
import { connectLimits } from '../redis-limits.ts';
import { StartError } from '../start-error.ts';

export type Command<S extends Store = Store> = {
  config: Config & { github: GitHubConfig };
  log: Logger;
  address: StoreAddress;
  client: StoreClient;
  store: S;
  /** What the running processes count, too. */
  limits: Limits;
};

type Work<S extends Store> = (command: Command<S>) => Promise<object>;
type OpenStore<S extends Store> = (config: Config, log: Logger) => Promise<S>;

/**
 * Runs an operator's command over the product's record store, whether or not
 * the product is running. Prints the result of `work` as one line of JSON on
 * standard output, or a failure as one line on standard error.
 *
 * @param openStore Finds or starts the store.
 */
export function runCommand<S extends Store>(name: string, work: Work<S>, openStore: OpenStore<S>): void;
export function runCommand(name: string, work: Work<Store>): void;
export function runCommand(
  name: string,
  work: Work<Store>,
  openStore: OpenStore<Store> = findOrStartStore,
): void {
  prepareAndRun(work, openStore).then(
    (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
    (error: unknown) => {
      const isExpected = error instanceof ConfigError || error instanceof StartError;
      const reason = (error as Error)?.message ?? 'unknown reason';
      process.stderr.write(isExpected ? `${reason}\n` : `${name} failed: ${reason}\n`);
      process.exitCode = 1;
    },
  );
}

async function prepareAndRun(work: Work<Store>, openStore: OpenStore<Store>): Promise<object> {
  loadDotEnv();
  const config = readConfig();
  const { github } = config;
  if (!github) throw new StartError('There is no GitHub App yet. Run npm start to register one.');
  // Standard error is for what went wrong: a command's own routine lines would only be in the way.
  const log = await createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const store = await openStore(config, log);
  const limits = await connectLimits(config.redisUrl, { appId: github.appId, log });
  try {
    const client = createStoreClient(store.address);
    return await work({ config: { ...config, github }, log, address: store.address, client, store, limits });
  } finally {
    limits.close();
    await store.stop();
  }
}
