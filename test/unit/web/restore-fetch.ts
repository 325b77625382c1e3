import { afterEach } from '@jest/globals';

const realFetch = globalThis.fetch;

/** After each test of a file that imports this. */
afterEach(() => {
  globalThis.fetch = realFetch;
});
