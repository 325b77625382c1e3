// The load test: npm run load -- [--people 5000] [--rounds 10]. Everything runs on this machine and stops by itself.
// bench/load/run.js says what it does.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const node = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
process.exitCode =
  node(join(root, 'scripts/build.js'), '--demo', '--if-needed') ||
  node(join(root, 'bench/load/run.js'), ...process.argv.slice(2));
