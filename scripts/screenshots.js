// Takes the twelve pictures in docs/pictures, ten of them of the product over a local GitHub: node scripts/screenshots.js
// It uses the Chromium in CHROMIUM_PATH, or finds or installs one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addressOf, openPull, startGitHub, startProduct } from '../bench/parts.js';
import { launchBrowser, signInAt } from './browser.js';
import { freePort } from './free-port.js';

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
const browser = await launchBrowser();
const port = await freePort();
const github = await startGitHub({
  publicUrl: `http://localhost:${port}`,
  crowd: { members: 0, repositories: 4 },
});
const product = await startProduct(github, { port });
try {
  await draw('web/public/icon.svg', 'logo', { width: 400, height: 400 });
  await draw('docs/pictures/feature-card.svg', 'feature-card', { width: 965, height: 482 });
  await takePictures();
} finally {
  await product.stop();
  await github.stop();
  await browser.close();
}

async function draw(svg, name, viewport) {
  const page = await browser.newPage({ viewport });
  const style = '<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>';
  await page.setContent(style + readFileSync(join(root, svg), 'utf8'));
  await page.screenshot({ path: pathOf(name), omitBackground: true });
}

/** Uses the product as an owner and a member do. */
async function takePictures() {
  const { org, orgID, installation, repo } = github.facts;
  const open = (page, path, more = {}) => {
    const query = new URLSearchParams({ owner: org, ownerID: orgID, installation, ...more });
    return page.goto(`${product.origin}${path}?${query}`);
  };
  const goodbye = await openPull(github, 'Say goodbye, too');
  await openPull(github, 'Speak to the moon in its own language, and wait for an answer');

  const mona = await signedIn('mona', await addressOf(github, goodbye));
  await mona.getByRole('button', { name: 'Register passkey' }).click();
  await mona.getByRole('button', { name: 'Approve with passkey' }).click();
  await mona.waitForURL(goodbye.html_url);

  const address = await addressOf(github, await github.asAdmin('GET', '/pulls/1'));
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

  await page.goto(`${product.origin}/`);
  await page.getByRole('link', { name: /^Open to anyone/ }).click();
  const boxes = page.getByRole('checkbox', { name: /^Select .*#/ });
  await boxes.nth(1).waitFor();
  for (const box of await boxes.all()) await box.check();
  await picture(page, 'home');
  await page.goto(`${product.origin}/authenticator-types`);
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
  await page.getByText(/^Repositories, branches, files/).click();
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
  await page.goto(`${product.origin}/verify`);
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
  await sharp.getByText('1 changed file').waitFor();
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

function signedIn(login, address) {
  return signInAt(browser, login, address, { viewport: WINDOW, reducedMotion: 'reduce' });
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
