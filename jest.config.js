import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

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

/** All of a folder's tests; in a soak, those that have a long form. */
function filesIn(folder) {
  if (!process.env.SOAK) return `<rootDir>/test/${folder}/**/*.test.{ts,tsx}`;
  const files = readdirSync(join(import.meta.dirname, 'test', folder), { recursive: true });
  return files
    .filter(
      (name) => name.endsWith('.test.ts') && hasLongForm(join(import.meta.dirname, 'test', folder, name)),
    )
    .map((name) => `<rootDir>/test/${folder}/${name}`);
}

function hasLongForm(path) {
  return readFileSync(path, 'utf8').includes('process.env.SOAK');
}

/** One kind of test, and where it lives. */
function kind(displayName, folders) {
  return {
    displayName,
    testEnvironment: 'node',
    testMatch: folders.flatMap(filesIn),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform,
    moduleNameMapper: { '\\.css$': '<rootDir>/test/support/class-names.js' },
    modulePathIgnorePatterns: ['<rootDir>/dist'],
  };
}

export default {
  // Of the whole run: jest takes no such setting from a project.
  // Generous: a deadline costs nothing when green, and a busy machine must not turn a test red.
  testTimeout: 180_000,
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // On Node 20 no vm.SourceTextModule is ever freed, so a worker keeps every module of every file that it ran (5 to 15
  // MB for each). A worker that holds more than this is replaced by a new one between two files.
  workerIdleMemoryLimit: '600MB',
  // jest knows on a second run which files take long; this tells it on the first.
  testSequencer: '<rootDir>/scripts/test-sequencer.js',
  projects: [
    kind('unit', ['unit', 'demo']),
    kind('webhooks', ['webhooks']),
    kind('http', ['http']),
    kind('faults', ['faults']),
    kind('e2e', ['e2e']),
  ].filter(({ testMatch }) => testMatch.length > 0),
};
