import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import { createStoreClient, type StoreClient } from '../adapters/pocketbase/client.ts';
import { storeFolder } from '../adapters/pocketbase/process/data-folder.ts';
import { findOrStartStore, type Store } from '../adapters/pocketbase/process/start-store.ts';
import { connectLimits } from '../adapters/redis/redis-limits.ts';
import {
  type Config,
  ConfigError,
  loadDotEnv,
  type RegisteredConfig,
  readConfig,
  settingHints,
} from '../settings/config.ts';
import { isDiskFull, StartError } from '../shared/app-error.ts';
import type { Limits } from '../shared/limits.ts';
import { createLog } from '../shared/log.ts';
import { printResult, sayWaiting } from './print.ts';
import { UsageError } from './usage-error.ts';

export type Command<S extends Store = Store> = {
  config: RegisteredConfig;
  log: Logger;
  client: StoreClient;
  store: S;
  /** The limits that the running processes count by, too. */
  limits: Limits;
  /** From now on, a signal no longer ends the command, and its person reads this sentence instead. */
  ignoreSignals(sentence: string): void;
};

type Work<S extends Store> = (command: Command<S>) => Promise<object>;
type OpenStore<S extends Store> = (config: Config, log: Logger) => Promise<S>;

/** The form in which a command prints its result. */
export type Printing = { json?: boolean };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs an operator's command over the product's record store, whether or not
 * the product is running, and prints the result of `work` on standard output.
 *
 * @param openStore Finds or starts the store. A command that names no store of its own works on any.
 * @param interrupted What the person reads if a signal ends the command.
 * @throws ConfigError or StartError with what to do, UsageError without an installation; other errors begin with the command's name.
 */
export async function runCommand<S extends Store = Store>(
  name: string,
  work: Work<S>,
  {
    json,
    openStore = openWholeStore as OpenStore<S>,
    interrupted = `${name} was interrupted. It's safe to run it again.`,
  }: Printing & { openStore?: OpenStore<S>; interrupted?: string },
): Promise<void> {
  let ignored: string | null = null;
  const onSignal = () => {
    process.stderr.write(`${ignored ?? interrupted}
`);
    // What holds a backup without its encryption is removed as this process exits.
    if (ignored === null) process.exit(1);
  };
  const ignoreSignals = (sentence: string) => {
    ignored = sentence;
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    printResult(await prepareAndRun(work, openStore, ignoreSignals), { json });
  } catch (cause) {
    if ([ConfigError, StartError, UsageError].some((Known) => cause instanceof Known)) throw cause;
    const reason = (cause as Error)?.message ?? 'unknown reason';
    const advice = isDiskFull(reason) ? '. The disk is full: make room, then run it again.' : '';
    throw new Error(`${name} failed: ${reason}${advice}`, { cause });
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Tells whether there is a record store, even a damaged one. */
export const hasStore = ({ store }: Pick<Config, 'store'>) =>
  store.kind === 'external' || existsSync(storeFolder(store.dataDir));

/** For a command in a folder without an installation. */
export function noInstallation({ store, github }: Pick<Config, 'store' | 'github'>): UsageError {
  const lacks = github ? 'there is no record store' : 'there are no settings of a GitHub App';
  const data = store.kind === 'embedded' ? `, and its data would be in ${store.dataDir}` : '';
  return new UsageError(
    `There is no OTP Guard in ${process.cwd()}: ${lacks}${data}. Change to its folder, or run otp-guard setup.`,
  );
}

const openWholeStore: OpenStore<Store> = async (config, log) => {
  if (!hasStore(config)) throw noInstallation(config);
  return findOrStartStore(config, log, { onWait: sayWaiting });
};

async function prepareAndRun<S extends Store>(
  work: Work<S>,
  openStore: OpenStore<S>,
  ignoreSignals: Command['ignoreSignals'],
): Promise<object> {
  loadDotEnv();
  for (const hint of settingHints()) process.stderr.write(`${hint}\n`);
  // A command in a wrong folder creates nothing there.
  const config = readConfig(undefined, { makeFolders: false });
  const { github } = config;
  if (!github) throw noInstallation(config);
  await goThroughProxy(config.outgoingProxy);
  // Standard error is for what went wrong: a command's own routine lines would only be in the way.
  const log = await createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const store = await openStore(config, log);
  const limits = await connectLimits(config.redisUrl, { appId: github.appId, log });
  try {
    const client = createStoreClient(store.address);
    return await work({ config: { ...config, github }, log, client, store, limits, ignoreSignals });
  } finally {
    limits.close();
    await store.stop();
  }
}
