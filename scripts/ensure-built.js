// Preloaded before the product's own code (`node --import`): builds what is missing or out of date. It is no
// `pre` script, because npm skips those where install scripts are switched off, and it keeps one process.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const build = join(import.meta.dirname, 'build.js');
// What the build says goes to standard error: standard output is for the line that says we are ready.
const { status } = spawnSync(process.execPath, [build, '--if-needed'], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(status ?? 1);
