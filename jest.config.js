import { availableParallelism } from 'node:os';

const transform = {
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic' } },
        target: 'es2022',
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    },
  ],
};

/** One kind of test: where it lives, and how long one of them may take. */
function kind(displayName, folders, testTimeout) {
  return {
    displayName,
    testEnvironment: 'node',
    testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.{ts,tsx}`),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform,
    modulePathIgnorePatterns: ['<rootDir>/dist'],
    testTimeout,
  };
}

export default {
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  projects: [
    kind('unit', ['unit', 'demo'], 30_000),
    kind('webhooks', ['webhooks'], 30_000),
    kind('http', ['http'], 30_000),
    kind('e2e', ['e2e'], 90_000),
  ],
};
