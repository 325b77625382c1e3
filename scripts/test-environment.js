// Jest runs every test in an AsyncLocalStorage, a new one per file, and the product uses one too. Each that has run
// stays enabled until its process ends and makes every promise slower, so a worker became slower with every file.
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestEnvironment } from 'jest-environment-node';

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndRemember(...args) {
  used.add(this);
  return run.apply(this, args);
};

/** Imports a built file outside of jest, which would load it and its packages again for every test file. */
const importBuilt = (path) => import(pathToFileURL(join(import.meta.dirname, '..', path)).href);

/** Imports a package outside of jest. */
const importPackage = (name) => import(name);

/** The values that a test file left for the next ones. */
const kept = new Map();

export default class FastAgainAfterEachFile extends TestEnvironment {
  async setup() {
    await super.setup();
    // A module that is imported so lives among the worker's own objects: test/support/built.ts.
    this.worker = { importBuilt, importPackage, kept, globals: globalThis, hasFailed: false };
    this.global.worker = this.worker;
  }

  /** Says to the hooks after a test whether it failed. */
  handleTestEvent({ name }) {
    if (name === 'test_start') this.worker.hasFailed = false;
    if (name === 'test_fn_failure') this.worker.hasFailed = true;
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
}
