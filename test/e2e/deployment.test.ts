import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { accessibilityFaults, launchBrowser, signedIn, type Visitor, visit } from '../support/browser.ts';
import { startTestProduct, type TestProduct, until } from '../support/product.ts';
import { jobsOf, runOf, statesOf } from '../support/release.ts';

const BOTH_WAIT = ['Publish to npm: waiting', 'Publish to pypi: waiting'];

describe('a release that waits for a person', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let key: SoftwareAuthenticator;

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct({ isGating: true });
    const octocat = await product.signIn('octocat');
    key = await registerPasskey(product, octocat);
    visitor = await visit(browser, await signedIn(product, 'octocat'));
    page = visitor.page;
    await visitor.plugIn('internal', key);
  });

  afterAll(async () => {
    await visitor?.leave();
    await browser?.close();
    await product?.stop();
  });

  const button = (name: string, on = page) => on.getByRole('button', { name });

  /** Waits until both jobs wait, and GitHub shows as many links to the page. */
  async function bothWait(run: { id: number }, links: number): Promise<void> {
    await until('both jobs', async () => {
      const jobs = await jobsOf(product, run);
      return BOTH_WAIT.every((job) => jobs.includes(job));
    });
    await page
      .getByRole('link', { name: 'Approve or reject it in OTP Guard' })
      .nth(links - 1)
      .waitFor();
  }

  it('starts both jobs and the next wave after one touch, waits again after a re-run, and for a thief', async () => {
    const { origin } = product.github;
    await page.goto(`${origin}/octo-org/hello`);
    await button('Run release').click();
    await page.waitForURL(/\/actions\/runs\//);
    const run = { id: Number(page.url().split('/').at(-1)) };
    await bothWait(run, 1);
    await page.getByRole('link', { name: 'Approve or reject it in OTP Guard' }).click();
    await page.getByRole('heading', { name: 'Approve deployment' }).waitFor();
    await page.getByText('you, by hand').waitFor();
    await button('Approve with passkey').waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await button('Approve with passkey').click();
    await page.waitForURL(/\/actions\/runs\//);
    await until('both waves', async () => (await runOf(product, run)).conclusion === 'success');
    expect(await statesOf(product, run)).toEqual(['pending', 'approved', 'approved']);

    await button('Re-run all jobs').click();
    await bothWait(run, 2);
    await page.goto(product.origin);
    await page.getByRole('link', { name: 'Deploy hello to release' }).click();
    await page.getByText('2: it was started again').waitFor();
    const shown = page.url();

    // A thief has all that octocat's browser keeps, and no authenticator.
    const thief = await visit(browser, { storageState: await page.context().storageState() });
    await thief.plugIn('internal');
    await thief.page.goto(shown);
    await button('Approve with passkey', thief.page).click();
    await thief.page.getByRole('alert').getByText('Authentication was not completed').waitFor();
    await thief.leave();
    expect(await jobsOf(product, run)).toEqual(expect.arrayContaining(BOTH_WAIT));

    await page.getByRole('link', { name: 'Reject' }).click();
    await page.getByLabel('Why?').fill('Not on a Friday');
    await button('Reject with passkey').click();
    await page.getByRole('heading', { name: 'Deployment rejected' }).waitFor();
    await page.getByRole('list', { name: 'Decisions' }).getByText('Not on a Friday').waitFor();
    await until('the end', async () => (await runOf(product, run)).conclusion === 'failure');
    expect(visitor.faults).toEqual([]);
  }, 60_000);
});
