// Measures the approval page with nothing cached, as a person opens it from a pull request: Chromium with a processor
// that is four times slower, on Lighthouse's slow 4G.  npm run bench -- entry
// It uses the Chromium in CHROMIUM_PATH, or one that is found or installed.
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { build, loadConfigFromFile } from 'vite';
import { findChromium } from '../scripts/programs.js';
import { median, report } from './compare.js';
import { callAsAdmin, startWorld } from './world.js';

const SIZES = { log: 0, approvals: 0, waiting: 0, enrolled: 2, members: 2, repositories: 1 };
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
const GOAL = { bytes: 95_000, timesBare: 1.4, requests: 7, paintMs: 1100 };
const NAME = 'approval page';

const { visits, requests } = await measure();
const bare = await bareBytes();
const { bytes } = visits[0];
const kilobytes = (count) => `${(count / 1000).toFixed(1)} kB`;
const paints = visits.map(({ paint }) => paint);
const milliseconds = (of) => `${Math.round(median(visits.map(of)))} ms`;
const wait = `first ${milliseconds(({ first }) => first)}, the title ${milliseconds(({ title }) => title)}, a person can approve after ${milliseconds(({ ready }) => ready)}`;
console.log(`Requests before that: ${requests.join(' ')}`);
console.log(`The largest paint is of: ${visits[0].largest}`);
console.log(wait);
report({
  name: `${NAME}: bytes, of 95 kB`,
  ratio: bytes / GOAL.bytes,
  spread: 0,
  goal: 1,
  a: kilobytes(bytes),
});
report({
  name: `${NAME}: bytes, against a bare React app with a router`,
  ratio: bytes / bare,
  spread: 0,
  goal: GOAL.timesBare,
  a: kilobytes(bytes),
  b: kilobytes(bare),
});
report({
  name: `${NAME}: requests before a person can approve, of 7`,
  ratio: requests.length / GOAL.requests,
  spread: 0,
  goal: 1,
  a: String(requests.length),
});
report({
  name: `${NAME}: largest paint, of 1.1 s`,
  ratio: median(paints) / GOAL.paintMs,
  spread: (Math.max(...paints) - Math.min(...paints)) / GOAL.paintMs,
  goal: 1,
  a: `${milliseconds(({ paint }) => paint)}; ${wait}`,
});
report({
  name: `${NAME}: layout shift`,
  ratio: Math.max(...visits.map(({ shift }) => shift)),
  spread: 0,
  goal: 0,
});

async function measure() {
  const world = await startWorld(SIZES);
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const address = await openPull(world);
    const storageState = await stateWithPasskey(browser, address);
    await visit(browser, storageState, address);
    const visits = [];
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(browser, storageState, address));
    const most = visits.reduce((one, other) => (other.requests.length > one.requests.length ? other : one));
    return { visits, requests: most.requests };
  } finally {
    await browser.close();
    await world.stop();
  }
}

/** What the browser of a person stores who has a passkey. */
async function stateWithPasskey(browser, address) {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const options = {
    ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  };
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  await page.goto(address);
  await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
  await page.getByRole('button', { name: /octocat/ }).click();
  await page.getByRole('button', { name: 'Register passkey' }).click();
  await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
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
  let [ready, shift, first, paint, largest, title] = [0, 0, 0, 0, '', 0];
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('layout-shift', ({ value }) => {
    shift += value;
  });
  observe('paint', ({ startTime }) => {
    first = startTime;
  });
  observe('largest-contentful-paint', ({ startTime, element, size }) => {
    paint = startTime;
    largest = `${element?.localName} "${element?.textContent}" (${size} px²)`;
  });
  // The first script shows the title before the page's code is there, which then paints it again, a little larger.
  const lookForTitle = new MutationObserver(() => {
    if (!document.querySelector('h2 > a')) return;
    lookForTitle.disconnect();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        title = performance.now();
      }),
    );
  });
  lookForTitle.observe(document, { subtree: true, childList: true });
  const look = new MutationObserver(() => {
    const button = document.querySelector('main button:not([aria-disabled])');
    if (!/^Approve/.test(button?.textContent ?? '') || !document.querySelector('main dl a')) return;
    ready = performance.now();
    look.disconnect();
  });
  look.observe(document, { subtree: true, childList: true, attributes: true });
  window.measured = () => {
    if (ready === 0 || performance.now() < ready + QUIET_MS) return null;
    // The browser asks for the tab's icon by itself, when it has nothing else to do.
    const isIcon = ({ name }) => new URL(name).pathname === '/icon.svg';
    const before = [
      ...performance.getEntriesByType('navigation'),
      ...performance
        .getEntriesByType('resource')
        .filter((entry) => entry.startTime < ready && !isIcon(entry)),
    ];
    const isCode = ({ name, initiatorType }) =>
      initiatorType === 'navigation' || /\.(js|css)$/.test(new URL(name).pathname);
    return {
      ...{ ready, shift, first, title, paint, largest },
      requests: before.map(({ name }) => new URL(name).pathname),
      bytes: before.filter(isCode).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  };
}

/** A pull request of the local GitHub; answers the address that its check links. */
async function openPull({ github }) {
  const call = (method, path, body) => callAsAdmin(github, method, path, body);
  const main = await call('GET', '/git/ref/heads/main');
  const content = Buffer.from('change').toString('base64');
  await call('POST', '/git/refs', { ref: 'refs/heads/change', sha: main.object.sha });
  await call('PUT', '/contents/change.txt', { message: 'Change', content, branch: 'change' });
  const pull = await call('POST', '/pulls', {
    title: 'Check the signature before the body is parsed',
    head: 'change',
    base: 'main',
  });
  for (;;) {
    const { check_runs: runs } = await call('GET', `/commits/${pull.head.sha}/check-runs`);
    if (runs[0]) return runs[0].details_url;
    await delay(50);
  }
}

/** The scripts of an app that has only React and a router with two pages, built as the dashboard is. */
async function bareBytes() {
  const source = `
    import { createElement as h } from 'react';
    import { createRoot } from 'react-dom/client';
    import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
    const page = (path, to) => h(Route, { key: path, path, element: h(Link, { to }, path) });
    createRoot(document.body).render(
      h(BrowserRouter, null, h(Routes, null, [page('/', '/other'), page('/other', '/')])));`;
  const { config: dashboard } = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    new URL('../web/vite.config.ts', import.meta.url).pathname,
  );
  const { output } = await build({
    ...{ configFile: false, logLevel: 'error', resolve: dashboard.resolve },
    plugins: [
      {
        name: 'bare',
        resolveId: (id) => (id === 'bare' ? `${import.meta.dirname}/bare.js` : null),
        load: (id) => (id.endsWith('/bench/bare.js') ? source : null),
      },
    ],
    build: { write: false, target: 'es2022', rolldownOptions: { input: 'bare' } },
  });
  return output.reduce((sum, { code }) => sum + (code ? brotliCompressSync(code).length : 0), 0);
}
