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

/** One kind of test, and where it lives. */
function kind(displayName, folders) {
  return {
    displayName,
    testEnvironment: 'node',
    testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.{ts,tsx}`),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform,
    modulePathIgnorePatterns: ['<rootDir>/dist'],
  };
}

export default {
  // Of the whole run: jest takes no such setting from a project.
  testTimeout: 60_000,
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  projects: [
    kind('unit', ['unit', 'demo']),
    kind('webhooks', ['webhooks']),
    kind('http', ['http']),
    kind('faults', ['faults']),
    kind('e2e', ['e2e']),
  ],
};
