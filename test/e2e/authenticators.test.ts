import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { CodeApp, registerCodes } from '../support/authenticators.ts';
import { launchBrowser, signedIn, turnDown, type Visitor, visit } from '../support/browser.ts';
import { type Pull, startTestProduct, type TestProduct, until } from '../support/product.ts';

const STEP_MS = 30_000;

describe('the authenticators of a person', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  /** How far the server's clock is ahead of the browser's. */
  let aheadMs = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct({ clock: { now: () => new Date(Date.now() + aheadMs) } });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  beforeEach(() => {
    aheadMs = 0;
  });

  afterEach(() => visitor?.leave());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const says = (text: string) => page.getByRole('alert').getByText(text);
  const current = () => page.locator('[aria-current="step"]').textContent();

  /** The app that scanned the code on the page, by the secret that is shown beside it. */
  async function appOnPage(): Promise<CodeApp> {
    const shown = ((await page.locator('code').textContent()) ?? '').replace(/\s/g, '');
    return new CodeApp(Secret.fromBase32(shown).bytes);
  }

  /** The code that is right on the server now and was not used yet. */
  function nextCode(app: CodeApp): string {
    aheadMs += 5 * STEP_MS;
    return app.codeAt(Date.now() + aheadMs);
  }

  async function approved(pull: Pull): Promise<void> {
    await page.waitForURL(pull.html_url);
    expect((await product.runs(pull.head.sha))[0]?.conclusion).toBe('success');
  }

  /** Somebody who has signed in, at a browser of their own and at the page that *Details* leads to. */
  async function opens(login: string, pull: { details: string }): Promise<void> {
    visitor = await visit(browser, await signedIn(product, login));
    page = visitor.page;
    await page.goto(pull.details);
  }

  const search = () => new URL(page.url()).search;

  it('lead from a first code to a passkey and a security key, and are deleted one after the other', async () => {
    const pull = await product.pendingPull();
    const second = await product.pendingPull();
    const third = await product.pendingPull();

    // The first: a one-time code, with its tick and its cross.
    await opens('mona', pull);
    await link(/^TOTP/).click();
    await heading('Register one-time code').waitFor();
    expect(await page.getByRole('list', { name: 'Steps' }).count()).toBe(0);
    let app = await appOnPage();
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByText('This code is not right.').waitFor();
    await page.reload();
    await heading('Register one-time code').waitFor();
    app = await appOnPage();
    await page.getByLabel('Code from the app').fill(app.codeAt(Date.now()));
    await heading('Approve pull request').waitFor();
    await page.getByText('approves with a one-time code').waitFor();

    // An approval with it: a wrong code, then a right one.
    await page.getByLabel('One-time code').fill('000000');
    await says('This code is not right.').waitFor();
    expect(await page.getByLabel('One-time code').inputValue()).toBe('');
    await page.getByLabel('One-time code').fill(nextCode(app));
    await approved(pull);

    // A passkey, after a step-up with a code: one that is wrong, one that is right; and a ceremony turned down.
    const internal = await visitor.plugIn('internal');
    await page.goto(second.details);
    await heading('Approve pull request').waitFor();
    await page.goto(`${product.origin}/register${search()}`);
    await link(/^Platform/).click();
    expect(await current()).toContain('Authenticate');
    await page.getByLabel('One-time code').fill('000000');
    await page.getByLabel('Label').waitFor();
    await page.getByLabel('Label').fill('My laptop');
    await button('Register passkey').click();
    await says('This code is not right.').waitFor();
    expect(await current()).toContain('Authenticate');
    await page.getByLabel('One-time code').fill(nextCode(app));
    await page.getByLabel('Label').waitFor();
    expect(await current()).toContain('Register');
    expect(await page.getByLabel('Label').inputValue()).toBe('My laptop');
    await turnDown(page, 'create');
    await button('Register passkey').click();
    await says('Registration was not completed').waitFor();
    await button('Register passkey').click();
    await until('the passkey', async () => (await internal.credentials()) === 1);
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));

    // Both kinds are there: the approval page begins with the passkey and leads to the code and back.
    await page.goto(second.details);
    await button('Approve with passkey').waitFor();
    await link('Use a one-time code instead').click();
    await page.getByLabel('One-time code').waitFor();
    await page.goBack();
    await button('Approve with passkey').waitFor();
    await page.goForward();
    await link('Use a passkey instead').click();
    await page.getByText(second.head.sha.slice(0, 8)).waitFor();
    await button('Approve with passkey').click();
    await approved(second);

    // A security key, after a step-up with the passkey, which is turned down once.
    await page.goto(third.details);
    await button('Approve with passkey').waitFor();
    await page.goto(`${product.origin}/register-security-key${search()}`);
    await turnDown(page, 'get');
    await button('Confirm with passkey').click();
    await says('Authentication was not completed').waitFor();
    await button('Confirm with passkey').click();
    await page.getByLabel('Label').fill('<b>Blue</b> key ‮evil');
    await internal.unplug();
    const usb = await visitor.plugIn('usb');
    await turnDown(page, 'create');
    await button('Register security key').click();
    await says('Registration was not completed').waitFor();
    await button('Register security key').click();
    await until('the security key', async () => (await usb.credentials()) === 1);
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));
    await page.goto(third.details);
    await button('Approve with passkey').click();
    await approved(third);

    // The list, a new label, and the end of each, with a ceremony turned down on the way.
    await page.goto(`${product.origin}/authenticators`);
    await heading('My Authenticators').waitFor();
    await page.getByRole('row').nth(3).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.getByText('<b>Blue</b> key').waitFor();
    await page.getByText('<b>Blue</b> key').click();
    await heading('Edit Authenticator').waitFor();
    await page.getByLabel('Label').fill('Blue key');
    await button('Save label').click();
    await page.getByText('Successfully edited authenticator').waitFor();

    await button('Delete Authenticator').click();
    await heading('Delete Authenticator').waitFor();
    await page.getByText('Before deleting this authenticator').waitFor();
    await turnDown(page, 'get');
    await button('Confirm with passkey').click();
    await says('Authentication was not completed').waitFor();
    await page.reload();
    await heading('Edit Authenticator').waitFor();
    await button('Delete Authenticator').click();
    await button('Confirm with passkey').click();
    await heading('My Authenticators').waitFor();
    await page.getByText('My laptop').waitFor();
    expect(await page.getByText('Blue key').count()).toBe(0);

    // With the key gone, a code ends the passkey, and then itself.
    await page.getByText('My laptop').click();
    await button('Delete Authenticator').click();
    await link('Use a one-time code instead').click();
    await page.getByLabel('One-time code').fill(nextCode(app));
    await heading('My Authenticators').waitFor();
    await until('the passkey to be gone', async () => (await page.getByText('My laptop').count()) === 0);
    await page.getByRole('link', { name: 'totp' }).click();
    await button('Delete Authenticator').click();
    await page.getByLabel('One-time code').fill(nextCode(app));
    await page.getByText('You have no authenticator yet.').waitFor();
  });

  it('lead from a first security key to a code, through reloads and the back button', async () => {
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/ghost', { role: 'member' });
    const pull = await product.pendingPull();
    await opens('ghost', pull);
    const usb = await visitor.plugIn('usb');
    await link(/^Security Key/).click();
    await heading('Register security key').waitFor();
    await page.goBack();
    await heading('Register authenticator').waitFor();
    await page.goForward();
    await page.getByLabel('Label').fill('On my ring');
    await page.reload();
    expect(await page.getByLabel('Label').inputValue()).toBe('On my ring');
    await turnDown(page, 'create');
    await button('Register security key').click();
    await says('Registration was not completed').waitFor();
    await button('Register security key').click();
    await button('Approve with passkey').waitFor();
    expect(await usb.credentials()).toBe(1);

    // A code, after a step-up with the key; a reload in the middle starts the step again.
    await page.goto(`${product.origin}/register-totp${search()}`);
    await button('Confirm with passkey').click();
    await page.getByLabel('Code from the app').waitFor();
    await page.reload();
    await turnDown(page, 'get');
    await button('Confirm with passkey').click();
    await says('Authentication was not completed').waitFor();
    await button('Confirm with passkey').click();
    await page.getByLabel('Code from the app').waitFor();
    const app = await appOnPage();
    await page.getByLabel('Code from the app').fill(app.codeAt(Date.now()));
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));

    // The key goes by a code: the way back and a reload leave it where it is, until the code is there.
    await page.goto(`${product.origin}/authenticators`);
    await page.getByText('On my ring').click();
    await button('Delete Authenticator').click();
    await page.goBack();
    await page.goto(`${product.origin}/authenticators`);
    await page.getByText('On my ring').click();
    await button('Delete Authenticator').click();
    await button('Keep it').click();
    await heading('Edit Authenticator').waitFor();
    await button('Delete Authenticator').click();
    await link('Use a one-time code instead').click();
    await page.getByLabel('One-time code').fill('000000');
    await says('This code is not right.').waitFor();
    await page.reload();
    await button('Delete Authenticator').click();
    await page.getByLabel('One-time code').fill(nextCode(app));
    await heading('My Authenticators').waitFor();
    await until('the key to be gone', async () => (await page.getByText('On my ring').count()) === 0);

    // The approval page leads to the code now.
    await page.goto(pull.details);
    await page.getByLabel('One-time code').fill(nextCode(app));
    await approved(pull);
  });

  it('are locked after five wrong codes, for a time that the page names, and then take codes again', async () => {
    const session = await product.signIn('octocat');
    const app = new CodeApp();
    expect((await registerCodes(product, session, { app, code: app.codeAt(Date.now()) })).status).toBe(200);
    const pull = await product.pendingPull();
    await opens('octocat', pull);
    const field = page.getByLabel('One-time code');
    for (let tries = 0; tries < 5; tries += 1) {
      await until('the field', async () => (await field.isEnabled()) && (await field.inputValue()) === '');
      await field.fill('000000');
      await says('This code is not right.').waitFor();
    }
    await until('the field', async () => (await field.isEnabled()) && (await field.inputValue()) === '');
    await field.fill(nextCode(app));
    // The lock of five minutes is half over by then: the code above belongs to a later time.
    await says('Too many wrong codes. Try again in').waitFor();
    expect(await field.isDisabled()).toBe(true);
    expect((await product.runs(pull.head.sha))[0]?.conclusion).toBeNull();

    aheadMs += 5 * 60_000;
    await page.reload();
    await field.fill(app.codeAt(Date.now() + aheadMs));
    await approved(pull);
  });

  it('are one-time codes alone in a browser without WebAuthn, which the page says', async () => {
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/hubot', { role: 'member' });
    await opens('hubot', await product.pendingPull());
    await page.addInitScript(() => {
      Object.defineProperty(window, 'PublicKeyCredential', { value: undefined });
    });
    await page.reload();
    await link(/^Platform/).click();
    await button('Register passkey').click();
    await says('WebAuthn is not supported in this browser').waitFor();
    await page.goBack();
    await link(/^TOTP/).click();
    const app = await appOnPage();
    await page.getByLabel('Code from the app').fill(app.codeAt(Date.now()));
    await page.getByText('approves with a one-time code').waitFor();
  });
});
