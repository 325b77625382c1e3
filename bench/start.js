// How long the product takes from its start until it's ready, with its record store, and how much memory it then has
// without the store: against a bare Probot app.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.js';
import { median, report } from './compare.js';
import { newFolder, now, startGitHub } from './parts.js';

const ROUNDS = 7;
/** The first round of the product is over by then. */
const IDLE_MS = 3_000;

const root = join(import.meta.dirname, '..');
const github = await startGitHub({ publicUrl: 'http://localhost:1' });
const dataDir = newFolder();
const programs = {
  product: [join(root, 'dist/program/otp-guard.js'), 'start'],
  bare: [join(root, 'bench/bare-probot.js')],
};
try {
  // The first start makes the record store.
  await measure('product');
  await measure('bare');
  const found = { product: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of ['product', 'bare']) found[name].push(await measure(name));
  summarize('start to ready, with the record store / bare Probot', 1.2, found, ({ ms }) => ms, 'ms');
  summarize('idle memory, without the record store / bare Probot', 1.5, found, ({ mb }) => mb, 'MB');
} finally {
  await github.stop();
}

async function measure(name) {
  const port = String(await freePort());
  const settings = { ...github.env, PORT: port, HOST: 'localhost', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const env = { ...process.env, ...settings, PUBLIC_URL: `http://localhost:${port}` };
  const beganAt = now();
  const child = spawn(process.execPath, programs[name], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((ready, fail) => {
    child.stdout.once('data', ready);
    child.once('exit', (code) => fail(new Error(`${name} ended with ${code}`)));
  });
  const ms = now() - beganAt;
  await delay(IDLE_MS);
  const mb = residentOf(child.pid);
  const ended = new Promise((done) => child.removeAllListeners('exit').once('exit', done));
  child.kill('SIGTERM');
  await ended;
  return { ms, mb };
}

function residentOf(pid) {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kb) / 1024;
}

function summarize(name, goal, { product, bare }, read, unit) {
  const [a, b] = [product.map(read), bare.map(read)];
  const ratios = a.map((value, round) => value / b[round]);
  report({
    name,
    ratio: median(a) / median(b),
    spread: Math.max(...ratios) - Math.min(...ratios),
    goal,
    a: `${median(a).toFixed(0)} ${unit}`,
    b: `${median(b).toFixed(0)} ${unit}`,
  });
}
