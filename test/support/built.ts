import type { startLocalGitHub as StartLocalGitHub } from '../../demo/local-github.ts';
import type { startProduct as StartProduct } from '../../src/product.ts';

// From the sources, each test file would load the product and the local GitHub again, with all their packages: more
// than a second each. The built ones are loaded once by each process that runs test files.

/** That process. A test file has global objects of its own, so the built product's `fetch` and `Date` are others. */
declare const worker: { importBuilt(path: string): Promise<unknown>; globals: typeof globalThis };

export const workerGlobals = worker.globals;

export const startLocalGitHub: typeof StartLocalGitHub = async (options) => {
  const built = (await worker.importBuilt('dist-demo/demo/local-github.js')) as {
    startLocalGitHub: typeof StartLocalGitHub;
  };
  return built.startLocalGitHub(options);
};

/** Playwright, which each test file would load again for two seconds. */
export const loadPlaywright = () =>
  worker.importBuilt('node_modules/playwright-core/index.mjs') as Promise<typeof import('playwright-core')>;

export const startProduct: typeof StartProduct = async (config, options) => {
  const built = (await worker.importBuilt('dist/product.js')) as { startProduct: typeof StartProduct };
  const { clock } = options;
  // PocketBase's client formats no date but its own.
  const now = clock && (() => new worker.globals.Date(clock.now().getTime()));
  return built.startProduct(config, now ? { ...options, clock: { now } } : options);
};
