// Runs all benchmarks (npm run bench) or one of them (npm run bench -- large-organization).
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const built = spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--demo', '--if-needed'], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
const helpers = ['populate', 'world'];
const all = readdirSync(join(root, 'bench'))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((name) => !helpers.includes(name));
const [wanted] = process.argv.slice(2);
if (wanted && !all.includes(wanted)) {
  console.error(`Unknown benchmark ${wanted}. Benchmarks: ${all.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted ? [wanted] : all) {
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.js`)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
