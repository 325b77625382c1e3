// Compiles the server and the dashboard when they change, and restarts the server. Ctrl-C stops everything.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const bin = (tool) => join(root, 'node_modules/.bin', tool);

const children = [
  start(bin('tsc'), ['--watch', '--preserveWatchOutput']),
  start(bin('vite'), [
    ...['build', 'web', '--config', 'web/vite.config.ts', '--outDir', join(root, 'dist/web')],
    ...['--emptyOutDir', '--watch', '--logLevel', 'warn'],
  ]),
  start(process.execPath, ['--watch', '--watch-preserve-output', 'dist/main.js', 'start']),
];

process.once('SIGINT', () => stop('SIGINT'));
process.once('SIGTERM', () => stop('SIGTERM'));

function start(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', () => {
    console.error(`${command} did not start. Run npm ci first.`);
    stop('SIGTERM');
  });
  child.once('exit', () => stop('SIGTERM'));
  return child;
}

function stop(signal) {
  for (const child of children) child.kill(signal);
}
