// Takes the pictures in docs from the running demo, and writes docs/pages.md:
//   node scripts/screenshots.js
// It uses the Chromium in CHROMIUM_PATH, or one that is found or installed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { chromium } from 'playwright-core';
import { compactPng } from './compact-png.js';
import { freePort } from './free-port.js';
import { findChromium } from './programs.js';

const root = dirname(import.meta.dirname);
const docs = join(root, 'docs');
const folder = join(docs, 'pictures');
const PATIENCE_MS = 30_000;
const MOST_BYTES = 2_800_000;
const PHONE = { name: 'phone', width: 375, height: 640, colorScheme: 'light', shown: 375 };
// Only the middle of the window, with the content. The inbox and an organization's pages take its whole width.
const DESKTOP = { name: 'desktop', width: 1280, height: 640, colorScheme: 'dark', shown: 720 };
const CODE_STEP_MS = 30_000;

/** The pictures of docs/marketplace.md: all in one size, as GitHub Marketplace wants them. */
const marketplace = join(docs, 'marketplace');
const LISTED = ['collect-passkey', 'home', 'org', 'org-policy', 'org-log'];
const LISTED_SIZE = { width: 1280, height: 800 };

/** Security images that are the same in each run. */
const IMAGES = {
  octocat: {
    name: 'octocatsOwnImage1234',
    colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'],
    variant: 'beam',
  },
  mona: {
    name: 'imageThatMonaChose12',
    colors: ['#556270', '#4ecdc4', '#c7f464', '#ff6b6b', '#c44d58'],
    variant: 'bauhaus',
  },
  org: {
    name: 'imageOfTheOctoOrg123',
    colors: ['#8c2318', '#5e8c6a', '#88a65e', '#bfb35a', '#f2c45a'],
    variant: 'ring',
  },
};

const build = spawnSync(process.execPath, ['scripts/build.js', '--demo', '--if-needed'], {
  cwd: root,
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(build.status ?? 1);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const album = [];
try {
  await drawMarketplaceImages();
  await takeSetUpPictures();
  const demo = await startDemo();
  try {
    await takePictures(JSON.parse(await demo.line));
  } finally {
    await demo.stop();
  }
  writeFileSync(join(docs, 'pages.md'), pagesDocument());
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`docs/pages.md, ${album.length} pages, ${Math.round(bytes / 1024)} kB`);
  if (bytes > MOST_BYTES) throw new Error('The pictures are too large for a repository.');
} finally {
  await browser.close();
}

/** Starts a program of this repository. `line` is the first line that it prints for another program or a person to read. */
function start(script, env, options = { stream: 'stdout', wanted: /^\{"ready":true.*/ }) {
  const { stream, wanted, cwd = root } = options;
  const child = spawn(process.execPath, [join(root, script)], {
    cwd,
    env: { ...process.env, DATA_DIR: '', SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (stream === 'stdout') child.stderr.pipe(process.stderr);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const line = new Promise((resolve, reject) => {
    createInterface(child[stream]).on('line', (text) => {
      const found = wanted.exec(text);
      if (found) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(`${script} did not start.`)));
  });
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { line, stop };
}

async function startDemo() {
  const [port, githubPort] = [await freePort(), await freePort()];
  return start('dist-demo/demo/run-demo.js', {
    PORT: String(port),
    DEMO_GITHUB_PORT: String(githubPort),
    DEMO_REPOSITORIES: '4',
  });
}

/** Registers the App of a local GitHub, as an operator does on a new machine. */
async function takeSetUpPictures() {
  const [port, githubPort] = [await freePort(), await freePort()];
  const PUBLIC_URL = `http://localhost:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-set-up-'));
  const github = start('dist-demo/demo/run-local-github.js', {
    // Nothing listens there, so no webhook arrives while we look at the page that waits for one.
    PUBLIC_URL: `http://localhost:${await freePort()}`,
    DEMO_GITHUB_PORT: String(githubPort),
  });
  let product;
  try {
    const { github: url } = JSON.parse(await github.line);
    product = start(
      'dist/program/otp-guard.js',
      { PUBLIC_URL, PORT: String(port), GITHUB_SERVER_URL: url, GITHUB_API_URL: url },
      { stream: 'stderr', wanted: /http:\S+\/set-up\/\S+/, cwd: folder },
    );
    const { page } = await visitor();
    await page.goto(await product.line);
    await page.getByLabel('Its name on GitHub').fill('octo-org');
    await picture(
      page,
      'set-up',
      'Set up, for an operator',
      '`otp-guard setup` opens this page. It registers an App on GitHub.',
    );
    await button(page, 'Register the App on GitHub').click();
    await button(page, 'Create GitHub App').click();
    await page.getByText('OTP Guard runs.').waitFor();
    await picture(
      page,
      'set-up-install',
      'Set up, the steps',
      'What is done and what is next, up to a pull request that waits.',
    );
  } finally {
    await product?.stop();
    await github.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses the product as the people of an organization do, and takes a picture of each page. */
async function takePictures(facts) {
  const { dashboard, org, orgID, installation, repo, otherOrg, otherOrgID, otherInstallation } = facts;
  const of = (path, more = {}) =>
    `${dashboard}${path}?${new URLSearchParams({ owner: org, ownerID: orgID, installation, ...more })}`;
  const other = new URLSearchParams({
    owner: otherOrg,
    ownerID: otherOrgID,
    installation: otherInstallation,
  });

  await asAdmin(facts, 'PUT', `/orgs/${org}/memberships/hubot`, { role: 'member' });
  const goodbye = await openPull(facts, 'Say goodbye, too');
  await openPull(facts, 'Speak to the moon in its own language, and wait for an answer');

  const goodbyeDetails = await detailsOf(facts, goodbye);
  const mona = await visitor();
  await mona.page.goto(goodbyeDetails);
  await picture(
    mona.page,
    'sign-in',
    'Sign in',
    'People who followed a link return to it after they sign in.',
  );
  await signInAs(mona.page, 'mona');
  await heading(mona.page, 'Register passkey');
  await picture(
    mona.page,
    'register-passkey',
    'Register passkey',
    'A person without an authenticator starts an approval here, if their device can make a passkey. The first one needs no confirmation, unless the organization [guards it](enrolment.md).',
  );
  await link(mona.page, 'Other options').click();
  await heading(mona.page, 'Register authenticator');
  await picture(
    mona.page,
    'register',
    'Register authenticator',
    'The other kinds. A person whose browser can make no passkey starts here.',
  );
  await mona.page.goBack();
  await nameIt(mona.page, 'Laptop of mona');
  await button(mona.page, 'Register passkey').click();
  await button(mona.page, 'Approve with passkey').waitFor();

  await mona.page.goto(of('/register-totp', { redirectURL: '/authenticators' }));
  await button(mona.page, 'Confirm with passkey').waitFor();
  await setImage(mona.page, '/personal-set-image', { orgID: 0, image: IMAGES.mona });
  await mona.page.reload();
  await mona.page.getByText('Your security image.').waitFor();
  await picture(
    mona.page,
    'step-up',
    'Step-up',
    'People confirm with an authenticator they have before they add another.',
  );
  await button(mona.page, 'Confirm with passkey').click();
  await mona.page.getByLabel('Code from the app').waitFor();
  await picture(
    mona.page,
    'register-totp',
    'Register authenticator app',
    'The secret as a QR code and as text. The page checks the first code as you type.',
  );
  const secret = (await mona.page.locator('code').textContent()).replace(/\s/g, '');
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await mona.page.getByLabel('Code from the app').fill(app.generate());
  await heading(mona.page, 'My Authenticators');

  await mona.page.goto(goodbyeDetails);
  await button(mona.page, 'Approve with passkey').waitFor();
  await link(mona.page, 'Use a one-time code instead').click();
  await mona.page.getByLabel('One-time code').waitFor();
  await picture(
    mona.page,
    'collect-totp',
    'Approve with a one-time code',
    'The same page without a passkey. The page submits the code at its sixth digit.',
  );
  await mona.page.getByLabel('One-time code').fill(app.generate({ timestamp: Date.now() + CODE_STEP_MS }));
  await mona.page.waitForURL(goodbye.html_url);

  const octocat = await visitor();
  const { page } = octocat;
  await page.goto(goodbyeDetails);
  await signInAs(page, 'octocat');
  await setImage(page, '/personal-set-image', { orgID: 0, image: IMAGES.octocat });
  await setImage(page, '/github-set-image', { orgID, image: IMAGES.org });
  // mona's approval is enough, so the page shows its proof.
  await link(page, 'Approve it too').click();
  await nameIt(page, 'Desk of octocat');
  await button(page, 'Register passkey').click();
  await button(page, 'Approve with passkey').click();
  await page.waitForURL(goodbye.html_url);
  const twin = await openPull(facts, 'Say goodbye in a second pull request', goodbye.head.sha);
  await page.goto(goodbyeDetails);
  await button(page, 'Withdraw approval').waitFor();
  await picture(
    page,
    'approved',
    'Approved by you',
    'A person who opens the page of a commit that they approved can withdraw the approval.',
  );
  await button(page, 'Withdraw approval').click();
  await button(page, 'Withdraw my approval').waitFor();
  await picture(
    page,
    'withdraw',
    'Withdraw approval',
    'Unless someone else approved the commit too, its check waits again.',
  );
  await button(page, 'Withdraw my approval').click();
  await page.getByText('Your approval is withdrawn.').waitFor();
  await page.goto(of('/register-security-key', { redirectURL: '/authenticators' }));
  await button(page, 'Confirm with passkey').click();
  await nameIt(page, 'In the drawer');
  await octocat.plugIn('usb');
  await picture(
    page,
    'register-security-key',
    'Register security key',
    'After the confirmation, enter a label and touch the key.',
  );
  await button(page, 'Register security key').click();
  await heading(page, 'My Authenticators');
  await page.getByText('In the drawer').waitFor();

  await page.goto(await detailsOf(facts, facts.pull));
  await button(page, 'Approve with passkey').waitFor();
  await picture(
    page,
    'collect-passkey',
    'Approve pull request',
    'What you approve, who you are and what you use. You sign only what is on the screen.',
  );
  await approvalPictures(page);

  await page.goto(`${dashboard}/`);
  await link(page, `Manage ${org}`).waitFor();
  await page.getByRole('checkbox').nth(1).waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await picture(
    page,
    'home',
    'Inbox and account',
    'What waits for you, your settings, and your organizations with OTP Guard.',
  );
  await button(page, 'Approve 2 together').click();
  await button(page, 'Approve 2 pull requests with passkey').waitFor();
  await picture(
    page,
    'approve-batch',
    'Approve several pull requests',
    'What you selected in the inbox, approved with one touch. You sign only what is on the screen.',
  );
  await page.goto(`${dashboard}/authenticators`);
  await page.getByText('In the drawer').waitFor();
  await picture(page, 'authenticators', 'My Authenticators', 'Your authenticators in all organizations.');
  await link(page, 'In the drawer').click();
  await button(page, 'Save label').waitFor();
  await picture(
    page,
    'authenticator',
    'Edit Authenticator',
    'One authenticator. You can change the label of a security key.',
  );
  await button(page, 'Delete Authenticator').click();
  await button(page, 'Confirm with passkey').waitFor();
  await picture(page, 'delete', 'Delete Authenticator', 'You confirm a deletion with an authenticator, too.');

  await page.goto(`${dashboard}/email`);
  await page.getByLabel('E-mail address').fill('octocat@example.org');
  await picture(
    page,
    'email',
    'E-mail',
    'Your address, and when a message about waiting pull requests goes there.',
  );
  await button(page, 'Set E-Mail').click();
  await page.getByLabel('Code from the e-mail').waitFor();
  await picture(page, 'email-code', 'E-mail, confirmed', 'Enter the code to confirm the address.');
  await page.getByLabel('Code from the e-mail').fill(await mailedCode(facts));
  await page.getByText('E-mail address confirmed.').waitFor();

  await page.goto(`${dashboard}/image`);
  await page.getByText('This is your current image.').waitFor();
  await picture(page, 'image', 'Security image', "A picture that you know and a fake site doesn't.");
  await page.goto(`${dashboard}/select-org?target=%2Fregister`);
  await heading(page, 'Select Organization');
  await picture(page, 'select-org', 'Select Organization', 'People with one organization skip this page.');
  await page.goto(`${dashboard}/authenticator-types`);
  await heading(page, 'Authenticator types');
  await picture(page, 'authenticator-types', 'Authenticator types', 'What each kind protects against.');

  await page.goto(of('/org'));
  await page
    .getByText(/repositor(y|ies)\. |requires? the check\./)
    .first()
    .waitFor();
  await page.locator('[data-entry]').first().waitFor();
  await picture(
    page,
    'org',
    'Organization, for an owner',
    'The verdict first, then what waits, enrolment, approvals, the newest log entries, and setup health.',
  );
  await page.goto(of('/org/pulls'));
  await page.getByRole('row').nth(1).waitFor();
  await picture(
    page,
    'org-pulls',
    'Pull requests',
    'Those without an approval, longest waiting first; for owners.',
  );
  await page.goto(of('/org/members'));
  await button(page, 'End sessions of mona').click();
  await button(page, 'Confirm with passkey').waitFor();
  await picture(
    page,
    'org-members',
    'Members',
    "What each has registered, and reminders. The owner is about to end a member's sessions.",
  );
  await mona.page.goto(of('/org'));
  await mona.page.locator('[data-entry]').first().waitFor();
  await picture(
    mona.page,
    'org-member',
    'Organization, for a member',
    'The same page without the parts for owners.',
  );
  await page.goto(`${dashboard}/org?${other}`);
  await page.getByText("You don't have an authenticator here yet.").waitFor();
  await page.getByText('No activity yet.').waitFor();
  await picture(page, 'org-new', 'Organization, on its first day', 'The first steps of a new organization.');
  await page.goto(of('/org/repositories'));
  await page.getByText('5 repositories').waitFor();
  await picture(
    page,
    'org-repositories',
    'Connected repositories',
    'For owners, whether each requires the check.',
  );
  await page.goto(of('/org/authenticators'));
  await page.getByText('Laptop of mona').waitFor();
  await picture(
    page,
    'org-authenticators',
    'Registered authenticators',
    "All members' authenticators, for owners. An owner can remove a lost one.",
  );
  await link(page, 'Laptop of mona').click();
  await button(page, 'Delete Authenticator').click();
  await page.getByText('If mona has a confirmed e-mail address').waitFor();
  await page.getByLabel('It was lost or stolen').check();
  await page.getByLabel('Since when').fill('');
  await picture(
    page,
    'org-removal',
    'Delete Authenticator of a member',
    'An owner says why, and confirms with their own authenticator.',
  );
  await button(page, 'Confirm with passkey').click();
  await page.getByText('Laptop of mona').waitFor({ state: 'detached' });
  await page.goto(of('/org/log'));
  await page.locator('[data-entry]').first().waitFor();
  await picture(
    page,
    'org-log',
    'Activity Log',
    'Newest first, with live updates, filters, and whether anybody changed it since.',
  );
  await page.goto(of('/org/exports'));
  await button(page, 'Download checkpoint').waitFor();
  await picture(
    page,
    'org-exports',
    'Exports',
    'What an owner takes along: the log, receipts, and a checkpoint.',
  );
  await page.goto(of('/org/policy'));
  await button(page, 'Change policy').click();
  await button(page, 'Add rule').click();
  await page.getByLabel('Name', { exact: true }).fill('Workflows');
  await page.getByLabel('Mode', { exact: true }).selectOption('enforced');
  await page.getByLabel('Changed files').fill('.github/**');
  await page.getByLabel('Approvals', { exact: true }).selectOption('2');
  await button(page, 'Review and save').click();
  await page.getByText('added the rule “Workflows”').waitFor();
  await picture(
    page,
    'org-policy',
    'A change of the policy',
    'Owners edit the policy as a form or a file, try it on a pull request, and sign exactly what changes.',
  );
  await button(page, 'Back to editing').click();
  await button(page, 'Discard changes').click();
  await page.goto(of('/org/hooks'));
  const webhook = page.getByRole('region', { name: 'Webhook', exact: true });
  await webhook.getByLabel('URL').fill('https://hooks.example.com/otp-guard');
  await webhook.getByRole('button', { name: 'Set webhook' }).click();
  await webhook.getByText('Copy the secret now.').waitFor();
  await picture(
    page,
    'org-hooks',
    'Webhooks',
    'Owners have events sent to a server, and to Slack. The secret is shown once.',
  );
  await webhook.getByRole('button', { name: 'Remove the webhook' }).click();
  await webhook.getByRole('button', { name: 'Remove the webhook' }).click();
  await webhook.getByRole('button', { name: 'Set webhook' }).waitFor();
  await page.goto(of('/org/image'));
  await page.getByText('This is your current image.').waitFor();
  await picture(page, 'org-image', 'Organization image', 'All members see it next to their own.');
  await page.goto(of('/commit', { head: twin.head.sha, pr: twin.number, repo }));
  await page.getByText('Authenticator app').waitFor();
  const receipt = page.getByRole('button', { name: /^Download receipt of/ }).last();
  await receipt.waitFor();
  await picture(
    page,
    'commit',
    'Approvals of a commit',
    'Who approved a commit, with which authenticator, what proves it, and who took it back.',
  );
  const [download] = await Promise.all([page.waitForEvent('download'), receipt.click()]);
  const buffer = readFileSync(await download.path());
  await page.goto(`${dashboard}/verify`);
  await page
    .getByLabel('Drop files here, or choose them')
    .setInputFiles({ name: download.suggestedFilename(), mimeType: 'application/json', buffer });
  await page.getByRole('heading', { level: 2, name: /^Valid:/ }).waitFor();
  await picture(
    page,
    'verify',
    'Verify a receipt or a log',
    'Anyone can check a receipt in their own browser, without a sign-in.',
  );
  await page.goto(`${dashboard}/org`);
  await heading(page, 'Organizations');
  await picture(page, 'organizations', 'Organizations', 'What `/org` shows without an organization.');
  await page.goto(`${dashboard}/org/log?owner=octo-org`);
  await picture(page, 'refusal', 'An error', 'A banner says what is wrong and what to do.');
  await page.goto(`${dashboard}/nowhere`);
  await heading(page, 'Page not found');
  await picture(page, 'not-found', 'Page not found', 'Any other address.');
  await enrolmentPictures(page, of);
}

/** Lets octocat, who is on this page, guard first authenticators, and takes pictures from both sides. */
async function enrolmentPictures(page, of) {
  await guardBy(page, of, 'email', async () => {
    await page.getByLabel('Domains').fill('example.org');
  });
  const hubot = await visitor();
  await hubot.page.goto(of('/register'));
  await signInAs(hubot.page, 'hubot');
  await hubot.page.getByLabel('Company address').fill('hubot@example.org');
  await picture(
    hubot.page,
    'register-address',
    'Company address',
    'If the organization asks for one, a first authenticator needs a code that was sent there.',
  );

  await guardBy(page, of, 'vouched');
  await hubot.page.goto(of('/register'));
  await hubot.page.getByText("so it can't be your first").waitFor();
  await button(hubot.page, 'Register passkey').click();
  await heading(hubot.page, 'Waiting for a vouch');
  await picture(
    hubot.page,
    'waiting',
    'Waiting for a vouch',
    'The code to compare, and the link to send. The page goes on by itself once somebody vouched.',
  );
  await page.goto(of('/org'));
  await link(page, 'Vouch for hubot').click();
  await button(page, 'Vouch for hubot').waitFor();
  await picture(page, 'vouch', 'Vouch', "What you sign: that this key is this person's.");
  await button(page, 'Vouch for hubot').click();
  await page.getByText('You vouched for hubot.').waitFor();

  await page.goto(of('/add-device'));
  await button(page, 'Confirm with passkey').click();
  await page.getByRole('img', { name: 'QR code of the link for your other device' }).waitFor();
  await picture(
    page,
    'add-device',
    'Add a second device',
    'A link that works once, for ten minutes. The secret in it is never sent to a server before it is used.',
  );
  const phone = await visitor();
  await phone.page.goto((await page.locator('code').textContent()) ?? '');
  await signInAs(phone.page, 'octocat');
  await nameIt(phone.page, 'Phone of octocat');
  await picture(
    phone.page,
    'second-device',
    'Register this device',
    'What the link opens on the other device.',
  );
}

/** Changes how first authenticators are guarded, as an owner does on the page of the policy. */
async function guardBy(page, of, mode, fill = async () => {}) {
  await page.goto(of('/org/policy'));
  await button(page, 'Change policy').click();
  await page.getByLabel('What it needs').selectOption(mode);
  await fill();
  await button(page, 'Review and save').click();
  await button(page, 'Confirm with passkey').click();
  await button(page, 'Change policy').waitFor();
}

/** Draws the logo and the background of the feature card from their SVGs. */
async function drawMarketplaceImages() {
  for (const { svg, name, ...size } of [
    { svg: 'web/public/icon.svg', name: 'logo', width: 400, height: 400 },
    { svg: 'docs/marketplace/feature-card.svg', name: 'feature-card', width: 965, height: 482 },
  ]) {
    const page = await browser.newPage({ viewport: size });
    const style = `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>`;
    await page.setContent(style + readFileSync(join(root, svg), 'utf8'));
    await page.screenshot({ path: join(marketplace, `${name}.png`), omitBackground: true });
    await page.close();
  }
}

/** Takes two pictures of a page: on a phone in light colours, and in a wide window in dark ones. */
async function picture(page, name, title, text) {
  if (LISTED.includes(name)) {
    await page.setViewportSize(LISTED_SIZE);
    await page.emulateMedia({ colorScheme: 'light' });
    await settle(page);
    writeFileSync(join(marketplace, `${name}.png`), compactPng(await page.screenshot()));
  }
  for (const window of [PHONE, DESKTOP]) {
    await page.setViewportSize({ width: window.width, height: window.height });
    await page.emulateMedia({ colorScheme: window.colorScheme });
    await settle(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const content = await page.evaluate(() => {
      const isDesk = document.querySelector('nav[aria-label="Organization"]') !== null;
      return isDesk ? window.innerWidth : (document.querySelector('main')?.clientWidth ?? 0);
    });
    const shown = content > window.shown ? window.width : window.shown;
    const png = await page.screenshot({
      fullPage: true,
      clip: { x: (window.width - shown) / 2, y: 0, width: shown, height },
    });
    writeFileSync(join(folder, `${name}-${window.name}.png`), compactPng(png));
  }
  album.push({ name, title, text });
}

/** Takes the pictures of the approval page for the README. */
async function approvalPictures(page) {
  const address = page.url();
  const sharp = await browser.newContext({
    viewport: { width: 480, height: 576 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    storageState: await page.context().storageState(),
  });
  const copy = await sharp.newPage();
  await copy.goto(address);
  await button(copy, 'Approve with passkey').waitFor();
  for (const [colorScheme, file] of [
    ['light', 'approval-page.png'],
    ['dark', 'approval-page-dark.png'],
  ]) {
    await copy.emulateMedia({ colorScheme });
    await settle(copy);
    writeFileSync(join(docs, file), compactPng(await copy.screenshot({ fullPage: true })));
    console.log(`docs/${file}`);
  }
  await sharp.close();
}

/** Removes the pointer and the focus from the page, and waits until everything is loaded. */
async function settle(page) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    document.activeElement?.blur();
    window.scrollTo(0, 0);
  });
  await page.waitForFunction(
    () =>
      !document.querySelector('main [aria-busy="true"]') &&
      // The element of a security image is empty until the image is drawn.
      !document.querySelector('main span[aria-hidden="true"]:empty') &&
      [...document.images].every(({ complete }) => complete),
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** A person with their own browser and a passkey in it. */
async function visitor() {
  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const plugIn = (transport) =>
    devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  await plugIn('internal');
  return { page, plugIn };
}

async function signInAs(page, login) {
  await button(page, 'Authenticate with GitHub').click();
  await page.getByRole('button', { name: new RegExp(`\\b${login}\\b`) }).click();
  await button(page, 'Logout').waitFor();
}

/** Names what is registered. The field is folded away, because a name is there already. */
async function nameIt(page, name) {
  await page.getByText(/^Name: /).click();
  await page.getByLabel('Label').fill(name);
}

/** Sets an image with the request that the image page sends. */
async function setImage(page, path, body) {
  const status = await page.evaluate(
    async ({ path, body }) => {
      const { token } = JSON.parse(localStorage.getItem('pocketbase_auth'));
      const headers = { 'content-type': 'application/json', authorization: token };
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    { path, body },
  );
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

/** The newest code on the demo's mail page. */
async function mailedCode({ mail }) {
  const text = await (await fetch(mail)).text();
  return /\b([0-9]{6}) is your code\./.exec(text)[1];
}

async function asAdmin({ github, adminToken }, method, path, body) {
  const answer = await fetch(`${github}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

/** With `sha`, the pull request has that commit and no other. */
async function openPull(facts, title, sha) {
  const path = `/repos/${facts.org}/${facts.repo}`;
  const branch = title.toLowerCase().replace(/[^a-z]+/g, '-');
  const main = await asAdmin(facts, 'GET', `${path}/git/ref/heads/main`);
  const from = sha ?? main.object.sha;
  await asAdmin(facts, 'POST', `${path}/git/refs`, { ref: `refs/heads/${branch}`, sha: from });
  const content = Buffer.from(title).toString('base64');
  const file = `${path}/contents/${branch}.txt`;
  if (!sha) await asAdmin(facts, 'PUT', file, { message: title, content, branch });
  return asAdmin(facts, 'POST', `${path}/pulls`, { title, head: branch, base: 'main' });
}

/** Waits for the check run of a pull request and returns its details link. `pull` may be the URL of its page. */
async function detailsOf(facts, pull) {
  const path = `/repos/${facts.org}/${facts.repo}`;
  const found =
    typeof pull === 'string' ? await asAdmin(facts, 'GET', `${path}/pulls/${pull.split('/').at(-1)}`) : pull;
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { check_runs } = await asAdmin(facts, 'GET', `${path}/commits/${found.head.sha}/check-runs`);
    if (check_runs.length > 0) return check_runs[0].details_url;
    if (Date.now() > deadline) throw new Error(`${found.html_url} has no check run.`);
    await delay(20);
  }
}

function pagesDocument() {
  const sections = album.map(
    ({ name, title, text }) => `## ${title}

${text}

<img src="pictures/${name}-phone.png" width="280" alt="${title}, on a phone, in light colours"> <img src="pictures/${name}-desktop.png" width="480" alt="${title}, in a wide window, in dark colours">
`,
  );
  return `[All pages](README.md)

# The pages

Each page on a phone in light colours, and in a wide window in dark ones. \`node scripts/screenshots.js\` takes the pictures from the demo and writes this page.

${sections.join('\n')}`;
}

function button(page, name) {
  return page.getByRole('button', { name, exact: true });
}

function link(page, name) {
  return page.getByRole('main').getByRole('link', { name });
}

function heading(page, name) {
  return page.getByRole('heading', { level: 1, name }).waitFor();
}
