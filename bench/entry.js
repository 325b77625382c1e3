// Measures the approval page with nothing cached, as a person opens it from a pull request: Chromium with a processor
// that is four times slower, on Lighthouse's slow 4G. And the start of the program, until it's ready with its record store.
// It uses the Chromium in CHROMIUM_PATH, or one that is found or installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { launchBrowser, signInAt } from '../scripts/browser.js';
import { freePort } from '../scripts/free-port.js';
import { median, report } from './compare.js';
import { addressOf, newFolder, openPull, startGitHub, startProduct } from './parts.js';

const ROUNDS = 7;
const SLOWER = 4;
/** https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const PHONE = { width: 375, height: 667 };
const MOST = { bytes: 95_000, paintMs: 1100, startMs: 1200 };

await measurePage();
await measureStart();

async function measurePage() {
  const port = await freePort();
  const github = await startGitHub({ publicUrl: `http://localhost:${port}` });
  const product = await startProduct(github, { port });
  const browser = await launchBrowser();
  try {
    const address = await addressOf(github, await openPull(github));
    const page = await signInAt(browser, 'octocat', address, { viewport: PHONE });
    await page.getByRole('button', { name: 'Register passkey' }).click();
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    const storageState = await page.context().storageState();
    const visits = [];
    // The first visit of all makes the server read its files.
    for (let round = 0; round <= ROUNDS; round += 1) visits.push(await visit(browser, storageState, address));
    const [{ bytes }, ...later] = visits;
    const kilobytes = `${(bytes / 1000).toFixed(1)} kB`;
    report({
      name: 'approval page: bytes, of 95 kB',
      ratio: bytes / MOST.bytes,
      spread: 0,
      goal: 1,
      a: kilobytes,
    });
    const ready = `a person can approve after ${median(later.map((one) => one.ready)).toFixed(0)} ms`;
    reportTimes(
      'approval page: largest paint, of 1.1 s',
      MOST.paintMs,
      later.map(({ paint }) => paint),
      ready,
    );
    const shift = Math.max(...later.map((one) => one.shift));
    report({ name: 'approval page: layout shift', ratio: shift, spread: 0, goal: 0 });
  } finally {
    await browser.close();
    await product.stop();
    await github.stop();
  }
}

async function measureStart() {
  const github = await startGitHub({ publicUrl: 'http://localhost:1' });
  const dataDir = newFolder();
  try {
    const times = [];
    // The first start makes the record store.
    for (let round = 0; round <= ROUNDS; round += 1) times.push(await startOnce(github, dataDir));
    reportTimes('start to ready, with the record store, of 1.2 s', MOST.startMs, times.slice(1));
  } finally {
    await github.stop();
  }
}

/** The milliseconds until the program says that it's ready. */
async function startOnce(github, dataDir) {
  const port = await freePort();
  const settings = { PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const env = { ...process.env, ...github.env, ...settings, PUBLIC_URL: `http://localhost:${port}` };
  const program = join(import.meta.dirname, '../dist/program/otp-guard.js');
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const isReady = once(child.stdout, 'data').then(() => true);
  if (!(await Promise.race([isReady, ended.then(() => false)]))) throw new Error('the program ended');
  const ms = performance.now() - start;
  child.kill('SIGTERM');
  await ended;
  return ms;
}

function reportTimes(name, most, times, more = '') {
  const spread = (Math.max(...times) - Math.min(...times)) / most;
  const a = `${median(times).toFixed(0)} ms${more && `, ${more}`}`;
  report({ name, ratio: median(times) / most, spread, goal: 1, a });
}

/** Opens the page in a browser that has nothing of it in its cache. */
async function visit(browser, storageState, address) {
  const context = await browser.newContext({ viewport: PHONE, storageState });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(watch);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.measured?.(), undefined, { timeout: 60_000 });
    return await page.evaluate(() => window.measured());
  } finally {
    await context.close();
  }
}

/** Runs in the page. Answers once the page has been quiet for a while, because late parts could still move it. */
function watch() {
  const QUIET_MS = 2500;
  let [ready, shift, paint] = [0, 0, 0];
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('layout-shift', ({ value }) => {
    shift += value;
  });
  observe('largest-contentful-paint', ({ startTime }) => {
    paint = startTime;
  });
  const look = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('main button:not([aria-disabled])')];
    const canApprove = buttons.some(({ textContent }) => textContent.startsWith('Approve'));
    if (!canApprove || !document.querySelector('main dl a')) return;
    ready = performance.now();
    look.disconnect();
  });
  look.observe(document, { subtree: true, childList: true, attributes: true });
  window.measured = () => {
    if (ready === 0 || performance.now() < ready + QUIET_MS) return null;
    const code = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => startTime < ready && /\.(js|css)$/.test(new URL(name).pathname));
    const entries = [...performance.getEntriesByType('navigation'), ...code];
    return { ready, shift, paint, bytes: entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0) };
  };
}
