import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { CodeApp } from '../support/authenticator.ts';
import { cancelNextCeremony, launchBrowser, signedIn, type Visitor, visit } from '../support/browser.ts';
import { type Pull, startTestProduct, type TestProduct, until } from '../support/product.ts';

const STEP_MS = 30_000;

describe('a person’s authenticators', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  let aheadMs = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct({ clock: { now: () => new Date(Date.now() + aheadMs) } });
  });

  afterAll(async () => {
    await visitor?.leave();
    await browser?.close();
    await product?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const says = (text: string) => page.getByRole('alert').getByText(text);
  const current = () => page.locator('[aria-current="step"]').textContent();

  /** An authenticator app with the secret that the page shows. */
  async function appOnPage(): Promise<CodeApp> {
    const shown = ((await page.locator('code').textContent()) ?? '').replace(/\s/g, '');
    return new CodeApp(Secret.fromBase32(shown).bytes);
  }

  /** Moves the server's clock ahead and returns the code that is valid there and still unused. */
  function nextCode(app: CodeApp): string {
    aheadMs += 5 * STEP_MS;
    return app.codeAt(Date.now() + aheadMs);
  }

  async function approved(pull: Pull): Promise<void> {
    await page.waitForURL(pull.html_url);
    expect((await product.runs(pull.head.sha))[0]?.conclusion).toBe('success');
  }

  const search = () => new URL(page.url()).search;

  it('can be an app, then a passkey, then a security key, and are deleted one after the other', async () => {
    const pull = await product.pendingPull();
    const second = await product.pendingPull();
    const third = await product.pendingPull();

    // The first authenticator is an app; its code gets a tick or a cross.
    visitor = await visit(browser, await signedIn(product, 'mona'));
    page = visitor.page;
    await page.goto(pull.details);
    await link(/^Authenticator app/).click();
    await heading('Register authenticator app').waitFor();
    expect(await page.getByRole('list', { name: 'Steps' }).count()).toBe(0);
    let app = await appOnPage();
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await page.getByLabel('Code from the app').fill(app.wrongCodeAt(Date.now()));
    await page.getByText("This code isn't right.").waitFor();
    await page.reload();
    await heading('Register authenticator app').waitFor();
    app = await appOnPage();
    // The code to scan and the field are in sight together.
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const field = await page.getByLabel('Code from the app').boundingBox();
      expect((field?.y ?? 800) + (field?.height ?? 0)).toBeLessThanOrEqual(800);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    }
    // In a high window the code is as large as it was specified.
    await page.setViewportSize({ width: 1280, height: 1000 });
    const qrCode = page.getByRole('img', { name: 'QR code of the secret' });
    expect(await qrCode.evaluate((one) => getComputedStyle(one).width)).toBe('384px');
    await page.getByLabel('Code from the app').fill(app.codeAt(Date.now()));
    await heading('Approve pull request').waitFor();
    await page.getByText('approves with a one-time code').waitFor();

    // An approval with a wrong code, then a right one. On a phone the error is in sight, and nothing moves for it.
    await page.setViewportSize({ width: 375, height: 667 });
    const approve = page.getByRole('button', { name: /^(Approve with code|Approving)$/ });
    const top = () => approve.evaluate((one) => one.getBoundingClientRect().top + window.scrollY);
    const place = await top();
    await page.getByLabel('One-time code').fill(app.wrongCodeAt(Date.now() + aheadMs));
    await says("That code isn't right.").waitFor();
    await says('4 tries left.').waitFor();
    const { y = -1, height = 0 } = (await page.getByRole('alert').boundingBox()) ?? {};
    // A part of a pixel is rounding.
    expect([y >= 0, y + height <= 667, Math.abs((await top()) - place) < 1]).toEqual([true, true, true]);
    expect(await page.getByLabel('One-time code').inputValue()).toBe('');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('One-time code').fill(nextCode(app));
    await approved(pull);

    // A passkey, after a step-up with a wrong code, then a right one, and a cancelled prompt.
    const internal = await visitor.plugIn('internal');
    await page.goto(second.details);
    await heading('Approve pull request').waitFor();
    await page.goto(`${product.origin}/register${search()}`);
    await link(/^Passkey/).click();
    expect(await current()).toContain('Authenticate');
    await page.getByLabel('One-time code').fill(app.wrongCodeAt(Date.now() + aheadMs));
    await page.getByText(/^Label: /).click();
    await page.getByLabel('Label').fill('My laptop');
    await button('Register passkey').click();
    await says("That code isn't right.").waitFor();
    expect(await current()).toContain('Authenticate');
    await page.getByLabel('One-time code').fill(nextCode(app));
    await page.getByLabel('Label').waitFor();
    expect(await current()).toContain('Register');
    expect(await page.getByLabel('Label').inputValue()).toBe('My laptop');
    await cancelNextCeremony(page, 'create');
    await button('Register passkey').click();
    await says('Registration was not completed').waitFor();
    await button('Register passkey').click();
    await until('the passkey', async () => (await internal.credentialCount()) === 1);
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));

    // With both, the approval page starts with the passkey and links to the code and back.
    await page.goto(second.details);
    await button('Approve with passkey').waitFor();
    await link('Use a one-time code instead').click();
    await page.getByLabel('One-time code').waitFor();
    await page.goBack();
    await button('Approve with passkey').waitFor();
    await page.goForward();
    await link('Use a passkey instead').click();
    await page.getByRole('link', { name: second.head.sha.slice(0, 8) }).waitFor();
    await button('Approve with passkey').click();
    await approved(second);

    // A security key, after a step-up with the passkey whose prompt is cancelled once.
    await page.goto(third.details);
    await button('Approve with passkey').waitFor();
    await page.goto(`${product.origin}/register-security-key${search()}`);
    await cancelNextCeremony(page, 'get');
    await button('Confirm with passkey').click();
    await says('Authentication was not completed').waitFor();
    await button('Confirm with passkey').click();
    await page.getByText('Label: Security key').click();
    await page.getByLabel('Label').fill('<b>Blue</b> key ‮evil');
    await internal.unplug();
    const usb = await visitor.plugIn('usb');
    await button('Register security key').click();
    await until('the security key', async () => (await usb.credentialCount()) === 1);
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));
    await page.goto(third.details);
    await button('Approve with passkey').click();
    await approved(third);

    // The approval is withdrawn, and given again.
    await page.goto(third.details);
    await page.getByText('(you)').waitFor();
    await heading('Approved').waitFor();
    await button('Withdraw approval').click();
    await button('Withdraw my approval').click();
    await page.getByText('Your approval is withdrawn.').waitFor();
    await heading('Approve pull request').waitFor();
    expect((await product.runs(third.head.sha))[0]?.status).toBe('in_progress');
    await button('Approve again').click();
    await button('Approve with passkey').click();
    await approved(third);

    // The list, a new label and the deletions.
    await page.goto(`${product.origin}/authenticators`);
    await heading('My Authenticators').waitFor();
    await page.getByRole('row').nth(3).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.getByText('<b>Blue</b> key').waitFor();
    const added = page.getByText('Added with your passkey, which began with a GitHub sign-in');
    await added.first().waitFor();
    await page.getByText('<b>Blue</b> key').click();
    await heading('Edit Authenticator').waitFor();
    await page.getByLabel('Label').fill('Blue key');
    await button('Save label').click();
    await page.getByText('Successfully edited authenticator').waitFor();

    await button('Delete Authenticator').click();
    await heading('Delete Authenticator').waitFor();
    await page.getByText('Before deleting this authenticator').waitFor();
    await page.getByLabel('It was lost or stolen').check();
    expect(await page.getByLabel('Since when').inputValue()).toBe('');
    await page.getByText('This withdraws 1 approval made with it. 1 open pull request loses an').waitFor();
    await button('Confirm with passkey').click();
    await heading('My Authenticators').waitFor();
    await page.getByText('My laptop').waitFor();
    expect(await page.getByText('Blue key').count()).toBe(0);
    // The pull request that the lost key approved waits again.
    expect((await product.runs(third.head.sha))[0]?.status).toBe('in_progress');

    // Without the security key, a code proves the deletion of the passkey, then of the app itself.
    await page.getByText('My laptop').click();
    await button('Delete Authenticator').click();
    await link('Use a one-time code instead').click();
    await page.getByLabel('One-time code').fill(nextCode(app));
    await heading('My Authenticators').waitFor();
    await page.getByText('The authenticator is deleted.').waitFor();
    await until('the passkey to be gone', async () => (await page.getByText('My laptop').count()) === 0);
    await page.getByRole('link', { name: 'totp' }).click();
    await button('Delete Authenticator').click();
    await page.getByLabel('One-time code').fill(nextCode(app));
    await page.getByText("You don't have an authenticator yet.").waitFor();
  });
});
