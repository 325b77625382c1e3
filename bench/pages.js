// Measures the pages of a large organization in Chromium with a processor that is four times slower: the time until a
// page is interactive, against a second, and how many rows it has in the document: at most 200.  npm run bench -- pages
// It uses the Chromium in CHROMIUM_PATH, or one that is found or installed.
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/programs.js';
import { at, median, report } from './compare.js';
import { callAsAdmin, post, refresh, signIn, startWorld } from './world.js';

const SIZES = { log: 100_000, approvals: 10_000, waiting: 0, enrolled: 200, members: 300, repositories: 500 };
const PULLS = 20;
const ROUNDS = 5;
const SLOWER = 4;
const MOST_MS = 1000;
const MOST_ROWS = 200;

/** Each page of the organization, and the selector of its first row. */
const PAGES = {
  '/org': '[data-entry]',
  '/org/pulls': 'tbody a',
  '/org/members': 'tbody a',
  '/org/members?state=missing': 'tbody a',
  '/org/repositories': 'tbody a',
  '/org/authenticators': 'tbody a',
  '/org/policy': 'main button',
  '/org/log': '[data-entry]',
  '/org/image': 'main button',
};

const world = await startWorld(SIZES, openPulls);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  await measure();
} finally {
  await browser.close();
  await world.stop();
}

async function measure() {
  const { facts } = world.github;
  const session = await signIn(world, 'octocat');
  await waitForMembers(session, facts.orgID);
  const of = { owner: facts.org, ownerID: facts.orgID, installation: facts.installation };
  const visitor = await visit(session);
  for (const [page, firstRow] of Object.entries(PAGES)) {
    const address = new URL(page, world.origin);
    for (const [name, value] of Object.entries(of)) address.searchParams.set(name, value);
    const visits = [];
    for (let round = 0; round <= ROUNDS; round += 1) visits.push(await visitor.open(address.href, firstRow));
    // The first visit loads everything.
    const [, ...again] = visits.map(({ ms }) => ms / MOST_MS);
    const rows = Math.max(...visits.map((visit) => visit.rows));
    if (rows > MOST_ROWS) console.error(`${page} has ${rows} rows. It should have at most ${MOST_ROWS}.`);
    report({
      name: `${page}, interactive, against ${MOST_MS} ms`,
      ratio: median(again),
      spread: at(again, 0.9) - at(again, 0.1),
      goal: 1,
      a: `${Math.round(median(again) * MOST_MS)} ms, ${rows} rows`,
      b: `${MOST_MS} ms`,
    });
  }
}

/** A browser with the person's session. */
async function visit(session) {
  const stored = {
    pocketbase_auth: JSON.stringify(await refresh(world.origin, session)),
    gh_accessToken: session.meta.accessToken,
    gh_accessTokenExpiry: String(Date.now() + 3_600_000),
  };
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: [{ origin: world.origin, localStorage }] },
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch);
  return {
    async open(address, firstRow) {
      await page.goto('about:blank');
      await page.goto(address, { waitUntil: 'commit' });
      const found = await page.waitForFunction((selector) => window.interactive?.(selector), firstRow, {
        timeout: 60_000,
      });
      return found.jsonValue();
    },
  };
}

/**
 * Runs in the page. It's interactive once it has its heading and its first row, and the main thread's last long task is
 * over. That is known half a second later.
 */
function watch() {
  const QUIET_MS = 500;
  let last = 0;
  let shown = null;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) last = Math.max(last, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  window.interactive = (selector) => {
    const isThere = document.querySelector('main h1') && document.querySelector(selector);
    if (!isThere) return null;
    shown ??= performance.now();
    const ms = Math.max(shown, last);
    if (performance.now() < ms + QUIET_MS) return null;
    return { ms, rows: document.querySelectorAll('main tbody tr, main li, main [data-entry]').length };
  };
}

async function openPulls(github) {
  const call = (method, path, body) => callAsAdmin(github, method, path, body);
  const main = await call('GET', '/git/ref/heads/main');
  for (let index = 0; index < PULLS; index += 1) {
    const branch = `change-${index}`;
    const content = Buffer.from(branch).toString('base64');
    await call('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha });
    await call('PUT', `/contents/${branch}.txt`, { message: branch, content, branch });
    await call('POST', '/pulls', { title: `Change number ${index}`, head: branch, base: 'main' });
  }
}

/** Waits until all members are known, and until the first round has left enough of GitHub's rate limit. */
async function waitForMembers(session, orgID) {
  for (;;) {
    const answer = await post(world.origin, session, '/organization', { orgID }).catch(() => null);
    if (answer?.members.total >= SIZES.members) return;
    await delay(1000);
  }
}
