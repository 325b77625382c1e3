// Jest runs every test in an AsyncLocalStorage, a new one per file, and the product uses one too. Each that has run
// stays enabled until its process ends and makes every promise slower, so a worker became slower with every file.
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndRemember(...args) {
  used.add(this);
  return run.apply(this, args);
};

export default class FastAgainAfterEachFile extends TestEnvironment {
  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
}
