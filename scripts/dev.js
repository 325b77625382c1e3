// Compiles the server and the dashboard as they change and restarts the server; Ctrl-C ends all of it.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const bin = (tool) => join(root, 'node_modules/.bin', tool);

const children = [
  start(bin('tsc'), ['-p', 'src', '--watch', '--preserveWatchOutput']),
  start(bin('vite'), [
    ...['build', 'web', '--config', 'web/vite.config.ts', '--outDir', join(root, 'dist/web')],
    ...['--emptyOutDir', '--watch', '--logLevel', 'warn'],
  ]),
  start(process.execPath, ['--watch', '--watch-preserve-output', 'dist/main.js']),
];

process.once('SIGINT', () => end('SIGINT'));
process.once('SIGTERM', () => end('SIGTERM'));

function start(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', () => {
    console.error(`${command} did not start: run npm ci first.`);
    end('SIGTERM');
  });
  child.once('exit', () => end('SIGTERM'));
  return child;
}

function end(signal) {
  for (const child of children) child.kill(signal);
}
