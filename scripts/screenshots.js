// Takes the pictures of the approval page in docs, light and dark, from the demo as it runs:
//   node scripts/screenshots.js
// Chromium is CHROMIUM_PATH, else /usr/bin/chromium.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const root = dirname(import.meta.dirname);
const docs = join(root, 'docs');
const pictures = [
  { colorScheme: 'light', file: 'approval-page.png' },
  { colorScheme: 'dark', file: 'approval-page-dark.png' },
];

if (spawnSync(process.execPath, ['scripts/build.js', '--if-needed'], { cwd: root, stdio: 'inherit' }).status)
  process.exit(1);
mkdirSync(docs, { recursive: true });
const demo = await startDemo();
try {
  await takePictures((await demo.facts).pull);
} finally {
  await demo.stop();
}

/** The demo on ports of its own; `facts` is the line of JSON that it prints when it is ready. */
async function startDemo() {
  const [port, githubPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['dist/demo/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DEMO_GITHUB_PORT: String(githubPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const facts = new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line));
    });
    child.once('exit', () => reject(new Error('The demo did not start: see above.')));
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { facts, stop };
}

/** Walks from the pull request to its approval page, once, and looks at it in both colour schemes. */
async function takePictures(pull) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 480, height: 576 },
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    });
    await plugInPasskey(page);
    await openApprovalPage(page, pull);
    for (const { colorScheme, file } of pictures) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(docs, file), fullPage: true });
      console.log(`docs/${file}`);
    }
  } finally {
    await browser.close();
  }
}

async function plugInPasskey(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function openApprovalPage(page, pull) {
  const details = page.getByRole('link', { name: 'Details' });
  do await page.goto(pull);
  while (!(await details.isVisible()));
  await details.click();
  await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
  await page.getByRole('button', { name: /\boctocat\b/ }).click();
  await page.getByRole('link', { name: /^Platform/ }).click();
  await page.getByRole('button', { name: /passkey/i }).click();
  await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
  await page.waitForLoadState('networkidle');
  // No pointer and no focus in the picture: neither belongs to the page at rest.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
