// Runs all benchmarks (npm run bench) or some of them (npm run bench -- entry webhook), one process each, and prints
// their ratios. With --json FILE it also writes them there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const BENCHMARKS = ['webhook', 'approval', 'entry', 'scale'];

const root = dirname(import.meta.dirname);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const unknown = positionals.filter((name) => !BENCHMARKS.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. Benchmarks: ${BENCHMARKS.join(', ')}.`);
  process.exit(2);
}

const node = (args, env = process.env) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
const { status } = node(['scripts/build.js', '--demo', '--if-needed']);
if (status !== 0) process.exit(status ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-bench-results-'));
const file = join(folder, 'results.jsonl');
writeFileSync(file, '');
const failed = [];
try {
  for (const name of positionals.length > 0 ? positionals : BENCHMARKS) {
    const startedAt = performance.now();
    console.log(`\n${name}`);
    const run = node([`bench/${name}.js`], { ...process.env, BENCH_RESULTS: file });
    if (run.status !== 0) failed.push(name);
    console.log(`${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const results = lines.map((line) => JSON.parse(line));
  console.table(results.map(row));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`These benchmarks failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

/** A missed goal fails nothing, because machines are noisy. The table says it. */
function row({ name, ratio, spread, goal, atLeast, ...rest }) {
  const isReached = atLeast ? ratio >= goal : ratio <= goal;
  const bound = `${atLeast ? '≥' : '≤'} ${goal}`;
  return { name, ratio, spread, goal: bound, reached: isReached ? 'yes' : 'no', ...rest };
}
