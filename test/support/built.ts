import pino, { type Logger } from 'pino';
import type { startLocalGitHub as StartLocalGitHub } from '../../demo/local-github.ts';
import type { startProduct as StartProduct } from '../../src/app/product.ts';

// From the sources, each test file would load the product and the local GitHub again, with all their packages: more
// than a second each. The built ones are loaded once by each process that runs test files.

/** That process. A test file has global objects of its own, so the built product's `Error` and `Date` are others. */
declare const worker: {
  importBuilt(path: string): Promise<unknown>;
  importPackage(name: string): Promise<unknown>;
  kept: Map<string, unknown>;
  globals: typeof globalThis;
  hasFailed: boolean;
};

export const workerGlobals = worker.globals;

/** Whether the test has failed whose hooks run now. */
export const hasFailed = () => worker.hasFailed;

/** A package, loaded once by each process. */
export const importPackage = <T>(name: string): Promise<T> => worker.importPackage(name) as Promise<T>;

/**
 * Keeps the value that `make` returns, for later test files of this process. It must not hold an object or function of
 * a test file that they'd call: jest takes a file's globals away when it's done.
 */
export function keepInWorker<T>(name: string, make: () => T): T {
  if (!worker.kept.has(name)) worker.kept.set(name, make());
  return worker.kept.get(name) as T;
}

export const startLocalGitHub: typeof StartLocalGitHub = async (options) => {
  const built = (await worker.importBuilt('dist-demo/demo/local-github.js')) as {
    startLocalGitHub: typeof StartLocalGitHub;
  };
  return built.startLocalGitHub(options);
};

/** Playwright, which each test file would load again for two seconds. */
export const loadPlaywright = () =>
  worker.importBuilt('node_modules/playwright-core/index.mjs') as Promise<typeof import('playwright-core')>;

/** Logs as the product does, but hides no text: what is secret must not get as far as there. */
export async function startLog(write: (line: string) => void): Promise<Logger> {
  const { errors } = (await worker.importBuilt(
    'dist-test/log.js',
  )) as typeof import('../../src/shared/log.ts');
  return pino({ level: 'trace', ...errors }, { write });
}

export const startProduct: typeof StartProduct = async (config, options) => {
  const built = (await worker.importBuilt('dist-test/product.js')) as { startProduct: typeof StartProduct };
  const { clock } = options;
  // PocketBase's client formats no date but its own.
  const now = clock && (() => new worker.globals.Date(clock.now().getTime()));
  return built.startProduct(config, now ? { ...options, clock: { ...clock, now } } : options);
};
