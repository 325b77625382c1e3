import type { Logger } from 'pino';
import { type Config, ConfigError, type GitHubConfig, loadDotEnv, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { StartError } from './start-error.ts';
import { createStoreClient, type StoreClient } from './store/client.ts';
import { attachStore } from './store/open.ts';
import type { StoreAddress } from './store/process.ts';

export type Command = {
  config: Config & { github: GitHubConfig };
  log: Logger;
  address: StoreAddress;
  client: StoreClient;
};

/**
 * Runs an operator's command beside the product, over the same record store,
 * or over that store alone where the product does not run. What it answers is
 * the one line on standard output; a failure is one line on standard error.
 *
 * @param attach Finds or starts the store.
 */
export function runCommand(
  name: string,
  work: (command: Command) => Promise<object>,
  attach: typeof attachStore = attachStore,
): void {
  prepare(work, attach).then(
    (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`),
    (error: unknown) => {
      const isExpected = error instanceof ConfigError || error instanceof StartError;
      const reason = (error as Error)?.message ?? 'unknown reason';
      process.stderr.write(isExpected ? `${reason}\n` : `${name} failed: ${reason}\n`);
      process.exitCode = 1;
    },
  );
}

async function prepare(
  work: (command: Command) => Promise<object>,
  attach: typeof attachStore,
): Promise<object> {
  loadDotEnv();
  const config = readConfig();
  const { github } = config;
  if (!github) throw new StartError('There is no GitHub App yet: npm start registers one.');
  const log = await createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const store = await attach(config, log);
  try {
    const client = createStoreClient(store.address);
    return await work({ config: { ...config, github }, log, address: store.address, client });
  } finally {
    await store.stop();
  }
}
