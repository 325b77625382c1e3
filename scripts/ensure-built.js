// Builds what is missing or out of date. `node --import` loads it before the product. It isn't a `pre` script, because
// npm skips those if install scripts are turned off.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const build = join(import.meta.dirname, 'build.js');
// Only the demo's entry points are in dist-demo.
const args = process.argv[1]?.includes('dist-demo') ? ['--demo', '--if-needed'] : ['--if-needed'];
// The build's output goes to standard error, because standard output is for the line of JSON.
const { status } = spawnSync(process.execPath, [build, ...args], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(status ?? 1);
