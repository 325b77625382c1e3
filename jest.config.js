import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { measurePace } from './scripts/pace.js';

// The workers inherit it: test/support/until.ts.
process.env.TEST_PACE ??= String(measurePace());
const pace = Number(process.env.TEST_PACE);

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

/** All tests of a folder; in a soak, those that are only for it (`*.soak.ts`) or have a long form, and the demo's. */
function filesIn(folder) {
  if (!process.env.SOAK || folder === 'demo') return `<rootDir>/test/${folder}/**/*.test.{ts,tsx}`;
  const files = readdirSync(join(import.meta.dirname, 'test', folder), { recursive: true });
  return files
    .filter((name) => name.endsWith('.soak.ts') || (name.endsWith('.test.ts') && hasLongForm(folder, name)))
    .map((name) => `<rootDir>/test/${folder}/${name}`);
}

function hasLongForm(folder, name) {
  return readFileSync(join(import.meta.dirname, 'test', folder, name), 'utf8').includes('process.env.SOAK');
}

/** One kind of test and its folders. */
function project(displayName, folders) {
  return {
    displayName,
    testEnvironment: '<rootDir>/scripts/test-environment.js',
    setupFilesAfterEnv: ['<rootDir>/scripts/every-test-asserts.js'],
    testMatch: folders.flatMap(filesIn),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform,
    moduleNameMapper: {
      '\\.css$': '<rootDir>/test/support/class-names.js',
      '^zod$': '<rootDir>/test/support/zod.js',
    },
    modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/dist-demo', '<rootDir>/dist-test'],
  };
}

export default {
  globalSetup: '<rootDir>/scripts/test-setup.js',
  // Here, because jest ignores this setting in a project. Ten times what the slowest tests take: the pace is measured
  // once, and other programs can make the machine slower later. Only a product that hangs takes longer.
  testTimeout: pace * (process.env.SOAK || process.env.IMAGE ? 600_000 : 180_000),
  // Many tests wait for other processes, so more workers than cores help on two cores.
  maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
  // Node 20 never frees a vm.SourceTextModule, so a worker keeps all modules of all files that it ran (5 to 15 MB per
  // file). Jest replaces a worker that uses more memory than this.
  workerIdleMemoryLimit: '600MB',
  // Jest also replaces a worker that exceeds the limit with its last file, and then asks the new process to end while
  // Node still starts it. On a busy machine that takes longer than jest's 500 ms. A worker that a test keeps open is
  // still reported.
  workerGracefulExitTimeout: 10_000,
  // Jest knows which files are slow only after a first run.
  testSequencer: '<rootDir>/scripts/test-sequencer.js',
  projects: [
    project('unit', ['unit']),
    // The local GitHub's own tests: scripts/test.js says when they run.
    ...(process.env.WITHOUT_DEMO ? [] : [project('demo', ['demo'])]),
    project('webhooks', ['webhooks']),
    project('http', ['http']),
    project('faults', ['faults']),
    // Only npm run test:e2e and the soak: real Chromium takes a fifth of the whole time.
    ...(process.env.WITHOUT_E2E ? [] : [project('e2e', ['e2e'])]),
    project('security', ['security']),
    // Only npm run test:image: they take minutes.
    ...(process.env.IMAGE ? [project('image', ['image'])] : []),
  ].filter(({ testMatch }) => testMatch.length > 0),
};
