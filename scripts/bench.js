// Runs all benchmarks (npm run bench) or some of them (npm run bench -- log webhook), one process each, and prints the
// ratios that they report. With --json FILE they're also written there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const root = dirname(import.meta.dirname);
/** What benchmarks import or start. */
const SHARED = [
  'bare-probot',
  'compare',
  'filled-store',
  'github-process',
  'least-webhook',
  'parts',
  'passkey',
  'populate',
  'product-process',
  'world',
];
const all = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((name) => !SHARED.includes(name));

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. Benchmarks: ${all.join(', ')}.`);
  process.exit(2);
}

const built = spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--demo', '--if-needed'], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-bench-results-'));
const file = join(folder, 'results.jsonl');
const failed = [];
try {
  for (const name of positionals.length > 0 ? positionals : all) {
    const startedAt = performance.now();
    console.log(`\n${name}`);
    const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.js`)], {
      stdio: 'inherit',
      env: { ...process.env, BENCH_RESULTS: file },
    });
    if (status !== 0) failed.push(name);
    console.log(`${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  }
  const results = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  console.table(results.map(row));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`These benchmarks failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

/** A missed goal fails nothing: machines are noisy. The table says it. */
function row({ name, ratio, spread, goal, atLeast, ...rest }) {
  const reached = atLeast ? ratio >= goal : ratio <= goal;
  return {
    name,
    ratio,
    spread,
    goal: `${atLeast ? '≥' : '≤'} ${goal}`,
    reached: reached ? 'yes' : 'no',
    ...rest,
  };
}
