// Takes the twelve pictures in docs/pictures, ten of them from the running demo: node scripts/screenshots.js
// It uses the Chromium in CHROMIUM_PATH, or finds or installs one.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { freePort } from './free-port.js';
import { findChromium, launchArguments } from './programs.js';

const root = dirname(import.meta.dirname);
const pathOf = (name) => join(root, 'docs/pictures', `${name}.png`);
/** GitHub Marketplace wants one size. */
const WINDOW = { width: 1280, height: 800 };
/** Security images that are the same in each run. */
const IMAGES = {
  person: { name: 'octocatsOwnImage1234', colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'] },
  org: { name: 'imageOfTheOctoOrg123', colors: ['#8c2318', '#5e8c6a', '#88a65e', '#bfb35a', '#f2c45a'] },
};

const build = ['scripts/build.js', '--demo', '--if-needed'];
const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const browser = await chromium.launch({ executablePath: findChromium(), args: launchArguments() });
const demo = spawn(process.execPath, ['dist-demo/demo/run-demo.js'], {
  cwd: root,
  env: {
    ...process.env,
    ...{ DATA_DIR: '', SMTP_URL: '', DEMO_REPOSITORIES: '4' },
    ...{ PORT: String(await freePort()), DEMO_GITHUB_PORT: String(await freePort()) },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await draw('web/public/icon.svg', 'logo', { width: 400, height: 400 });
  await draw('docs/pictures/feature-card.svg', 'feature-card', { width: 965, height: 482 });
  for await (const line of createInterface(demo.stdout))
    if (line.startsWith('{"ready":true')) {
      await takePictures(JSON.parse(line));
      break;
    }
} finally {
  demo.kill('SIGTERM');
  await browser.close();
}

async function draw(svg, name, viewport) {
  const page = await browser.newPage({ viewport });
  const style = '<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>';
  await page.setContent(style + readFileSync(join(root, svg), 'utf8'));
  await page.screenshot({ path: pathOf(name), omitBackground: true });
}

/** Uses the product as an owner and a member do. */
async function takePictures(facts) {
  const { dashboard, org, orgID, installation, repo } = facts;
  const open = (page, path, more = {}) =>
    page.goto(
      `${dashboard}${path}?${new URLSearchParams({ owner: org, ownerID: orgID, installation, ...more })}`,
    );
  const goodbye = await openPull(facts, 'Say goodbye, too');
  await openPull(facts, 'Speak to the moon in its own language, and wait for an answer');

  const mona = await signedIn('mona', await detailsOf(facts, goodbye));
  await mona.getByRole('button', { name: 'Register passkey' }).click();
  await mona.getByRole('button', { name: 'Approve with passkey' }).click();
  await mona.waitForURL(goodbye.html_url);

  const first = await asAdmin(facts, 'GET', `/repos/${org}/${repo}/pulls/${facts.pull.split('/').at(-1)}`);
  const address = await detailsOf(facts, first);
  const page = await signedIn('octocat', address);
  await setImage(page, '/personal-set-image', { orgID: 0, image: { ...IMAGES.person, variant: 'beam' } });
  await setImage(page, '/github-set-image', { orgID, image: { ...IMAGES.org, variant: 'ring' } });
  await page.getByRole('button', { name: 'Register passkey' }).click();
  await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
  // Opened again, the page doesn't say that the passkey is registered.
  await page.goto(address);
  await page.getByText(/^1 file,/).waitFor();
  await picture(page, 'collect-passkey');
  await approvalPictures(page);

  await page.goto(`${dashboard}/`);
  await page.getByRole('checkbox').nth(1).waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await picture(page, 'home');
  await page.goto(`${dashboard}/authenticator-types`);
  await page.getByRole('heading', { level: 1, name: 'Authenticator types' }).waitFor();
  await picture(page, 'authenticator-types');
  await open(page, '/org');
  await page.locator('[data-entry]').first().waitFor();
  await picture(page, 'org');
  await open(page, '/org/policy');
  await page.getByRole('button', { name: 'Change policy' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Workflows');
  await page.getByLabel('Mode', { exact: true }).selectOption('enforced');
  await page.getByLabel('Changed files').fill('.github/**');
  await page.getByLabel('Approvals', { exact: true }).selectOption('2');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText('added the rule “Workflows”').waitFor();
  await picture(page, 'org-policy');
  await open(page, '/org/log');
  await page.locator('[data-entry]').first().waitFor();
  await picture(page, 'org-log');
  await open(page, '/commit', { head: goodbye.head.sha, pr: goodbye.number, repo });
  const receipt = page.getByRole('button', { name: /^Download receipt of/ });
  await receipt.waitFor();
  await picture(page, 'commit');
  const [download] = await Promise.all([page.waitForEvent('download'), receipt.click()]);
  await page.goto(`${dashboard}/verify`);
  await page.getByLabel('Drop files here, or choose them').setInputFiles(await download.path());
  await page.getByRole('heading', { level: 2, name: /^Valid:/ }).waitFor();
  await picture(page, 'verify');
}

/** The README has the approval page in light and in dark colours. */
async function approvalPictures(page) {
  const storageState = await page.context().storageState();
  const options = { viewport: { width: 480, height: 576 }, deviceScaleFactor: 2, storageState };
  const sharp = await (await browser.newContext({ ...options, reducedMotion: 'reduce' })).newPage();
  await sharp.goto(page.url());
  await sharp.getByText(/^1 file,/).waitFor();
  await picture(sharp, 'approval-page', { fullPage: true });
  await sharp.emulateMedia({ colorScheme: 'dark' });
  await picture(sharp, 'approval-page-dark', { fullPage: true });
}

/** Removes the pointer and the focus from the page, and waits until everything is drawn. */
async function picture(page, name, options = {}) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    document.activeElement?.blur();
    window.scrollTo(0, 0);
  });
  await page.waitForFunction(
    () =>
      !document.querySelector('main [aria-busy="true"], main span[aria-hidden="true"]:empty') &&
      [...document.images].every(({ complete }) => complete),
  );
  await page.screenshot({ path: pathOf(name), ...options });
}

/** The page of a person who signed in with a passkey in their browser. */
async function signedIn(login, address) {
  const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const passkeys = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true };
  const touch = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...passkeys, ...touch } });
  await page.goto(address);
  await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
  await page.getByRole('button', { name: new RegExp(`\\b${login}\\b`) }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  return page;
}

/** Sets an image with the request that the image page sends. */
async function setImage(page, path, body) {
  const answered = await page.evaluate(
    async ({ path, body }) => {
      const { token } = JSON.parse(localStorage.getItem('pocketbase_auth'));
      const headers = { 'content-type': 'application/json', authorization: token };
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    { path, body },
  );
  if (answered !== 200) throw new Error(`${path}: ${answered}`);
}

async function asAdmin({ github, adminToken }, method, path, body) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${github}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

async function openPull(facts, title) {
  const path = `/repos/${facts.org}/${facts.repo}`;
  const head = title.toLowerCase().replace(/[^a-z]+/g, '-');
  const { object } = await asAdmin(facts, 'GET', `${path}/git/ref/heads/main`);
  await asAdmin(facts, 'POST', `${path}/git/refs`, { ref: `refs/heads/${head}`, sha: object.sha });
  const file = { message: title, content: Buffer.from(title).toString('base64'), branch: head };
  await asAdmin(facts, 'PUT', `${path}/contents/${head}.txt`, file);
  return asAdmin(facts, 'POST', `${path}/pulls`, { title, head, base: 'main' });
}

/** The address that the pull request's check links, once there is one. */
async function detailsOf(facts, { head }) {
  for (;;) {
    const path = `/repos/${facts.org}/${facts.repo}/commits/${head.sha}/check-runs`;
    const { check_runs } = await asAdmin(facts, 'GET', path);
    if (check_runs.length > 0) return check_runs[0].details_url;
    await delay(20);
  }
}
