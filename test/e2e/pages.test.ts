import { brotliCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  accessibilityFaults,
  launchBrowser,
  overflows,
  signInAs,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { registerPasskey, startTestProduct, type TestProduct, until } from '../support/product.ts';

describe('the pages', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startTestProduct(), launchBrowser()]);
    await registerPasskey(product, await product.signIn('mona'));
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  beforeEach(async () => {
    visitor = await visit(browser);
    page = visitor.page;
  });

  afterEach(() => visitor.leave());

  const alert = () => page.getByRole('alert');

  it('signs in with its state checked, and keeps the code out of the history', async () => {
    await page.goto(`${product.origin}/oauth?code=stolen&state=foreign`);
    await alert().getByText('missing login info').waitFor();
    await page.goto(`${product.origin}/login`);
    await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
    await page.waitForURL(/login\/oauth\/authorize/);
    await page.goto(`${product.origin}/oauth?code=stolen&state=foreign`);
    await alert().getByText("state parameters don't match").waitFor();
    await page.goto(
      `${product.origin}/oauth?error_description=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
    );
    await alert().getByText('GitHub said: <img src=x onerror=alert(1)>').waitFor();
    expect(page.url()).not.toMatch(/code|state|error_description/);
    expect(visitor.faults.filter((fault) => fault.startsWith('dialog'))).toEqual([]);
  });

  it('ends the session at logout, here and on the server', async () => {
    await page.goto(product.origin);
    await signInAs(page, 'octocat');
    const token = await page.evaluate(
      () => JSON.parse(localStorage.getItem('pocketbase_auth') ?? '{}').token as string,
    );
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
      expect.arrayContaining(['gh_accessToken', 'gh_accessTokenExpiry', 'pocketbase_auth']),
    );
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Authenticate with GitHub' }).waitFor();
    const left = await page.evaluate(() =>
      ['gh_accessToken', 'pocketbase_auth', 'providerInfo', 'orgPreference'].filter((key) =>
        localStorage.getItem(key),
      ),
    );
    expect(left).toEqual([]);
    const answer = await product.call('/logout', {}, { token });
    expect(answer.status).toBe(401);
  });

  it('asks to sign in again when the eight hours of the GitHub token are over', async () => {
    await page.goto(product.origin);
    await signInAs(page, 'octocat');
    await page.evaluate(() => localStorage.setItem('gh_accessTokenExpiry', String(Date.now() - 1)));
    await page.reload();
    await page.getByRole('button', { name: 'Authenticate with GitHub' }).waitFor();
  });

  it('shows hostile text as text', async () => {
    const title = '<script>alert(1)</script> "><img src=x onerror=alert(2)> ‮evil 🙂';
    const pull = await product.pendingPull(title);
    await page.goto(pull.details);
    await signInAs(page, 'mona');
    await page.getByText(title.slice(0, 25)).waitFor();
    for (const name of ['redirectURL', 'url', 'headURL']) {
      const hostile = new URL(page.url());
      hostile.searchParams.set(name, 'javascript:alert(3)');
      await page.goto(hostile.href);
      await page.getByRole('main').waitFor();
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    }
    expect(visitor.faults).toEqual([]);
  });

  it.each([
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('is accessible and fits at %i px in %s colours', async (width, colorScheme) => {
    await visitor.leave();
    visitor = await visit(browser, {
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    page = visitor.page;
    const found: Record<string, unknown> = {};
    const look = async (name: string) => {
      found[name] = { faults: await accessibilityFaults(page), overflows: await overflows(page) };
    };
    const pull = await product.pendingPull(
      'A title that is long enough to need a second line, and then a little more than that',
    );
    await page.goto(pull.details);
    await page.getByRole('button', { name: 'Authenticate with GitHub' }).waitFor();
    await look('login');
    await signInAs(page, 'mona');
    await page.getByText(pull.head.sha.slice(0, 8)).waitFor();
    await look('approval');
    const { search } = new URL(page.url());
    await page.goto(`${product.origin}/register${search}`);
    await page.getByRole('link', { name: /^Platform/ }).waitFor();
    await look('register');
    await page.goto(`${product.origin}/register-passkey${search}`);
    await page.getByRole('button', { name: /passkey/i }).waitFor();
    await look('register-passkey');
    for (const [path, name] of [
      ['/register-security-key', 'Register security key'],
      ['/register-totp', 'Register one-time code'],
      ['/authenticators', 'My Authenticators'],
      ['/authenticator-types', 'Authenticator types'],
      ['/select-org', 'Select Organization'],
    ] as const) {
      await page.goto(`${product.origin}${path}${search}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.waitForLoadState('networkidle');
      await look(path);
    }
    await page.goto(`${product.origin}/authenticators`);
    await page.getByText('Passkey of mona').click();
    await page.getByRole('heading', { level: 1, name: 'Edit Authenticator' }).waitFor();
    await look('one authenticator');
    await page.getByRole('button', { name: 'Delete Authenticator' }).click();
    await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
    await look('a deletion');
    await page.goto(`${product.origin}/collect?installation=1`);
    await alert().waitFor();
    await look('approval with an error');
    await page.goto(product.origin);
    await page.getByRole('main').getByText('octo-org').first().waitFor();
    await look('home');
    await page.goto(`${product.origin}/nowhere`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('not found');
    const clean = { faults: [], overflows: false };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, clean])));
    expect(visitor.faults).toEqual([]);
  });

  it('loads little for the approval page', async () => {
    const pull = await product.pendingPull();
    await page.goto(product.origin);
    await signInAs(page, 'mona');
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (!/\.(js|css)$/.test(new URL(response.url()).pathname)) return;
      sizes.set(response.url(), 0);
      sizes.set(response.url(), brotliCompressSync(await response.body()).length);
    });
    await page.goto(pull.details);
    await page.getByText(pull.head.sha.slice(0, 8)).waitFor();
    await until('every size', async () => [...sizes.values()].every((size) => size > 0));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(120_000);
  });
});
