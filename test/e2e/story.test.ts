import { brotliCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  accessibilityFaults,
  launchBrowser,
  signedIn,
  type VirtualAuthenticator,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { type Pull, startTestProduct, type TestProduct, until } from '../support/product.ts';

describe('the approval of a pull request with a passkey', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let passkey: VirtualAuthenticator;
  let octocatsKey: SoftwareAuthenticator;

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct();
    octocatsKey = await registerPasskey(product, await product.signIn('octocat'));
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  afterEach(() => visitor?.leave());

  const alert = () => page.getByRole('alert');
  const approveButton = () => page.getByRole('button', { name: 'Approve with passkey' });

  /** Opens a browser with a passkey device, signed in as `login` if there is one. */
  async function openBrowser(login?: string): Promise<void> {
    visitor = await visit(browser, login ? await signedIn(product, login) : {});
    page = visitor.page;
    passkey = await visitor.plugIn('internal');
  }

  /** Gives a pull request a new head with the same files, as `git commit --amend` and a forced push do. */
  async function amendMessage({ head }: Pull): Promise<string> {
    type Commit = { sha: string; tree: { sha: string }; parents: { sha: string }[] };
    const git = '/repos/octo-org/hello/git';
    const { tree, parents } = await product.asAdmin<Commit>('GET', `${git}/commits/${head.sha}`);
    const amended = { message: 'Say it better', tree: tree.sha, parents: parents.map(({ sha }) => sha) };
    const { sha } = await product.asAdmin<Commit>('POST', `${git}/commits`, amended);
    await product.asAdmin('PATCH', `${git}/refs/heads/${head.ref}`, { sha, force: true });
    return sha;
  }

  it('takes a newcomer from the pull request to its merge, and the next approval needs only the keyboard', async () => {
    await openBrowser();
    const { details, clicks } = await mergeAsNewcomer(product, page);
    expect([clicks, await passkey.credentialCount()]).toEqual([4, 1]);

    // The second approval takes two clicks.
    const second = await product.pendingPull();
    await page.goto(second.html_url);
    await page.getByRole('link', { name: 'Details' }).click();
    await approveButton().click();
    await page.waitForURL(second.html_url);
    await page.getByText('Approved by mona').waitFor();

    const next = await product.pendingPull();
    await page.goto(next.details);
    await page.getByRole('link', { name: next.head.sha.slice(0, 8) }).waitFor();
    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press('Tab');
      if (await approveButton().evaluate((button) => button === document.activeElement)) break;
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(next.html_url);
    await page.getByText('Approved by mona').waitFor();
    const amended = await amendMessage(next);
    const [run] = await until('its check run', async () => {
      const runs = await product.runs(amended);
      return runs.length > 0 && runs;
    });
    await page.goto(run?.details_url ?? '');
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText(`New commit ${amended.slice(0, 8)}, no file changed`).waitFor();
    await timeline.getByText(next.head.sha.slice(0, 8)).waitFor();
    await approveButton().click();
    await page.waitForURL(next.html_url);
    await page.getByText('Approved by mona').waitFor();
    expect(visitor.faults).toEqual([]);

    await page.goto(details);
    await page.getByRole('heading', { name: 'Pull request merged' }).waitFor();
    await page.getByRole('button', { name: 'Download receipt of mona' }).waitFor();
    expect(await alert().count()).toBe(0);
  });

  it('has an inbox, and approves two pull requests of two people with one touch', async () => {
    const pulls = [
      await product.pendingPull('Wave to the moon'),
      await product.pendingPull('Sing to it', 'main', await product.signIn('mona')),
      await product.pendingPull('Whisper'),
    ] as const;
    const [first, second, moved] = pulls;
    const patch = '@@ -1 +1,2 @@\n on: push\n+permissions: write-all';
    const files = [{ filename: '.github/workflows/ci.yml', patch }, { filename: 'README.md' }];
    await product.asAdmin('PUT', `/_local/pulls/octo-org/hello/${second.number}`, { files });
    await openBrowser('octocat');
    await passkey.unplug();
    await visitor.plugIn('internal', octocatsKey);
    await page.goto(product.origin);
    await page.getByText('Nobody is asked by name. 3 pull requests are waiting for any member.').waitFor();
    const rows = page.getByRole('list', { name: 'Pull requests' }).getByRole('listitem');
    const facts = [/^.*Wave to the moon.*octocat/, /^.*Sing to it.*mona/, /^.*Whisper.*octocat/];
    await rows.nth(2).waitFor();
    expect(await rows.allTextContents()).toEqual(facts.map((fact) => expect.stringMatching(fact)));
    await page.getByLabel('Select all on this page').press('Space');
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    const prepared = page.waitForResponse(/\/approve-batch-params$/);
    await page.getByRole('button', { name: 'Approve 3 together' }).click();
    await prepared;

    const shown = page.getByRole('list', { name: '3 pull requests' }).getByRole('heading', { level: 2 });
    const look = page.getByRole('button', { name: `Look at octo-org/hello #${second.number} first` });
    await look.waitFor();
    expect(await shown.allTextContents()).toEqual(['Sing to it', 'Wave to the moon', 'Whisper']);
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await look.press('Enter');
    // The list of files has the focus, and the workflow is on the screen before anything can be signed.
    await page.locator('summary:focus').getByText('Workflow').waitFor();
    const workflow = page.getByText('+permissions: write-all');
    const { top, bottom } = await workflow.evaluate((line) => line.getBoundingClientRect());
    expect([top > 0, bottom < (page.viewportSize()?.height ?? 0)]).toEqual([true, true]);
    const approve = page.getByRole('button', { name: 'Approve 3 (1 with a workflow)' });
    await approve.waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${moved.number}/update-branch`, {});
    await approve.click();
    await page.getByRole('heading', { name: 'Approved 2 of 3' }).waitFor();
    const left = page.getByRole('region', { name: 'Left out' });
    await left.getByText('Whisper').waitFor();
    await left.getByText('This pull request has a new commit.').waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    const conclusions = async ({ head }: Pull) =>
      (await product.runs(head.sha)).map(({ conclusion }) => conclusion);
    expect(await Promise.all(pulls.map(conclusions))).toEqual([['success'], ['success'], [null]]);

    await page.getByRole('link', { name: 'Back to the inbox' }).click();
    await page.getByText('Nobody is asked by name. 1 pull request is waiting for any member.').waitFor();
    await page.getByRole('link', { name: 'Whisper' }).click();
    await approveButton().click();
    await page.waitForURL(moved.html_url);
    for (const { details } of [first, second]) {
      await page.goto(details);
      await page.getByText('Signature valid').waitFor();
      await page.getByRole('button', { name: 'Download receipt of octocat' }).waitFor();
    }
    expect(visitor.faults).toEqual([]);
  });

  it('never approves a commit that was not on the screen, and offers the new one', async () => {
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/ghost', { role: 'member' });
    await openBrowser('ghost');
    const pull = await product.pendingPull();
    await page.goto(pull.details);
    await page.getByRole('button', { name: /passkey/i }).click();
    await approveButton().waitFor();
    await page.getByRole('link', { name: pull.head.sha.slice(0, 8) }).waitFor();
    await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${pull.number}/update-branch`, {});
    const moved = await product.asAdmin<Pull>('GET', `/repos/octo-org/hello/pulls/${pull.number}`);
    await approveButton().click();
    await alert().getByText('This pull request has a new commit.').waitFor();
    await page.getByRole('link', { name: 'Look at the new commit' }).click();
    await page.getByRole('link', { name: moved.head.sha.slice(0, 8) }).waitFor();
    await approveButton().click();
    await page.waitForURL(pull.html_url);
    expect((await product.runs(moved.head.sha)).map(({ conclusion }) => conclusion)).toEqual(['success']);
    expect((await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion)).toEqual([null]);
  });

  it('denies a pull request with a reason, so that GitHub refuses to merge it until a new commit comes', async () => {
    const mona = await product.signIn('mona');
    const pull = await product.pendingPull('Tidy up the store', 'main', mona);
    await openBrowser('octocat');
    await passkey.unplug();
    await visitor.plugIn('internal', octocatsKey);
    await page.goto(pull.details);
    await page.getByRole('link', { name: 'Deny' }).click();
    await page.getByLabel('Why?').fill('drops a table');
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await page.getByRole('button', { name: 'Deny with passkey' }).click();
    await page.getByText('You denied this commit.').waitFor();
    await page.getByRole('button', { name: 'Withdraw denial' }).waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await page.goto(pull.html_url);
    await page.getByText('Denied by octocat').waitFor();
    const [run] = await product.runs(pull.head.sha);
    expect([run?.conclusion, run?.output.summary]).toEqual([
      'action_required',
      expect.stringContaining('drops a table'),
    ]);
    await page.getByRole('button', { name: 'Merge pull request' }).click();
    await page.getByText('Required status check "OTP Guard"').waitFor();
    await page.getByRole('button', { name: 'Push a commit' }).click();
    await page.getByText('Waiting for approval').waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await approveButton().waitFor();
    await page.getByText(/octocat denied, passkey/).waitFor();
    expect(await page.getByText('You denied this commit.').count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });

  it('shows the pull request while at most 120 kB of scripts and styles are still loading, and asks for it once', async () => {
    await openBrowser('octocat');
    const title = '<script>alert(1)</script> "><img src=x onerror=alert(2)> ‮evil 🙂';
    const pull = await product.pendingPull(title);
    let load: () => void = () => undefined;
    const released = new Promise<void>((done) => {
      load = done;
    });
    await page.route(/\/assets\/start-.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    const calls: string[] = [];
    const loaded: Response[] = [];
    page.on('request', (request) => {
      // A busy GitHub may list the changed files too late for the first answer.
      if (!request.postData()?.includes('"files":"all"')) calls.push(new URL(request.url()).pathname);
    });
    page.on('response', (response) => loaded.push(response));
    const html = await (await page.goto(pull.details, { waitUntil: 'commit' }))?.text();
    await page.locator('h2', { hasText: title.slice(0, 25) }).waitFor();
    expect(await page.getByRole('link', { name: title.slice(0, 25) }).count()).toBe(0);
    load();
    await page.getByRole('link', { name: title.slice(0, 25) }).waitFor();
    await page.getByRole('button', { name: 'Approve with passkey', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Copy the full hash' }).waitFor();
    expect(calls.filter((path) => path === '/github-check-webauthn-params')).toHaveLength(1);
    const assets = loaded.filter((response) => /\.(js|css)$/.test(new URL(response.url()).pathname));
    const bodies = await Promise.all(assets.map((response) => response.body()));
    const total = bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(120_000);
    expect(html).toContain('JavaScript is off');
    // The rest only helps to decide, and is loaded after the page.
    expect(html?.match(/assets\/[^"]+\.(js|css)/g)).toHaveLength(4);

    const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await shade();
    await page.getByLabel('Theme').selectOption('Dark');
    expect(await shade()).not.toBe(light);
    const hostile = new URL(page.url());
    for (const name of ['redirectURL', 'url', 'headURL'])
      hostile.searchParams.set(name, 'javascript:alert(3)');
    const reopened = await page.goto(hostile.href);
    expect(await reopened?.text()).toContain('data-theme="dark"');
    await page.getByRole('link', { name: title.slice(0, 25) }).waitFor();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.getByLabel('Theme').inputValue()).toBe('dark');
    expect(await shade()).not.toBe(light);
    expect(visitor.faults).toEqual([]);
  });
});

/**
 * Takes mona, who has no authenticator yet, from the first pull request to its merge, which GitHub refuses before.
 * Returns the address of the approval, and how often mona clicked from the pull request to the approval, on GitHub too.
 */
async function mergeAsNewcomer({ github }: TestProduct, page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto(github.facts.pull);
  // The page shows it without a reload.
  await page.getByText('Waiting for approval').waitFor();
  await button('Merge pull request').click();
  await page.getByText('Required status check "OTP Guard" is expected.').waitFor();

  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const press = (name: string | RegExp) => click(button(name));
  await click(page.getByRole('link', { name: 'Details' }));
  await page.getByText(/^Continuing to \S+ to sign you in/).waitFor();
  await press(/\bmona\b/);
  await press('Register passkey');
  await page.getByRole('heading', { name: 'Approve pull request' }).waitFor();
  await page.getByText('Your authenticator is registered.').waitFor();
  await page.getByText('octo-org/hello #1').waitFor();
  const details = page.url();
  await page.getByRole('definition').filter({ hasText: 'Add a greeting' }).waitFor();
  const hasFocus = () =>
    button('Approve with passkey').evaluate((found) => found === found.ownerDocument.activeElement);
  await until('the focus', hasFocus);
  // The page shows it for less than a second, and a locator looks only twice in that time, so the page itself looks.
  const isApproved = () => [...document.querySelectorAll('h1')].some((one) => one.textContent === 'Approved');
  await Promise.all([page.waitForFunction(isApproved), press('Approve with passkey')]);
  await page.waitForURL(github.facts.pull);
  await page.getByText('Approved by mona').waitFor();
  await button('Merge pull request').click();
  await page.getByText('Merged into main.').waitFor();
  return { details, clicks };
}
