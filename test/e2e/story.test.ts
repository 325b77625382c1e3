import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  launchBrowser,
  signInAs,
  turnDown,
  type VirtualAuthenticator,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { type Pull, startTestProduct, type TestProduct, until } from '../support/product.ts';

describe('a pull request waits for a passkey', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let passkey: VirtualAuthenticator;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startTestProduct(), launchBrowser()]);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  beforeEach(async () => {
    visitor = await visit(browser);
    page = visitor.page;
    passkey = await visitor.plugIn('internal');
  });

  afterEach(() => visitor.leave());

  const alert = () => page.getByRole('alert');
  const approveButton = () => page.getByRole('button', { name: 'Approve with passkey' });

  /** From *Details* to the approval page, with a passkey registered on the way where there is none. */
  async function openApproval(details: string, login: string): Promise<void> {
    await page.goto(details);
    await signInAs(page, login);
    await page.getByRole('link', { name: /^Platform/ }).click();
    await page.getByRole('button', { name: /passkey/i }).click();
    await approveButton().waitFor();
    await page.getByText(login, { exact: true }).first().waitFor();
  }

  it('takes a newcomer from the pull request to its merge', async () => {
    await page.goto(product.github.facts.pull);
    await until('the pending check', async () => {
      await page.reload();
      return page.getByText('Waiting for an approval').isVisible();
    });
    await page.getByRole('button', { name: 'Merge pull request' }).click();
    await page.getByText('Required status checks have not succeeded.').waitFor();

    await page.getByRole('link', { name: 'Details' }).click();
    await signInAs(page, 'mona');
    await page.getByRole('link', { name: /^Platform/ }).click();
    await page.getByRole('button', { name: /passkey/i }).click();
    await page.getByRole('heading', { name: 'Approve pull request' }).waitFor();
    await page.getByText('octo-org/hello #1').waitFor();
    await page.getByText('Add a greeting').waitFor();
    expect(await passkey.credentials()).toBe(1);

    await approveButton().click();
    await page.getByText('Approved.').waitFor();
    await page.waitForURL(product.github.facts.pull);
    await page.getByText('Approved by mona').waitFor();
    await page.getByRole('button', { name: 'Merge pull request' }).click();
    await page.getByText('Merged into main.').waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('asks a person who has a passkey for nothing but the approval, by keyboard alone', async () => {
    const [first, second] = [await product.pendingPull(), await product.pendingPull()];
    await openApproval(first.details, 'octocat');
    await page.goto(second.details);
    await page.getByText(second.head.sha.slice(0, 8)).waitFor();
    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press('Tab');
      if (await approveButton().evaluate((button) => button === document.activeElement)) break;
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(second.html_url);
    await page.getByText('Approved by octocat').waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('loses nothing where the person turns a ceremony down: they try again', async () => {
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/hubot', { role: 'member' });
    const pull = await product.pendingPull();
    await page.goto(pull.details);
    await signInAs(page, 'hubot');
    await page.getByRole('link', { name: /^Platform/ }).click();
    await turnDown(page, 'create');
    await page.getByLabel('Label').fill('My laptop');
    await page.getByRole('button', { name: /passkey/i }).click();
    await alert().getByText('Registration was not completed').waitFor();
    expect(await alert().evaluate((banner) => banner.contains(document.activeElement))).toBe(true);
    expect(await page.getByLabel('Label').inputValue()).toBe('My laptop');
    expect(await passkey.credentials()).toBe(0);
    await page.getByRole('button', { name: /passkey/i }).click();

    await page.getByText(pull.head.sha.slice(0, 8)).waitFor();
    await turnDown(page, 'get');
    await approveButton().click();
    await alert().getByText('Authentication was not completed').waitFor();
    expect((await product.runs(pull.head.sha)).map(({ status }) => status)).toEqual(['in_progress']);
    await product.asAdmin('DELETE', '/orgs/octo-org/members/hubot');
    await approveButton().click();
    await alert().getByText('You are not a member of this organization.').waitFor();
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/hubot', { role: 'member' });
    await page.reload();
    await approveButton().click();
    await page.waitForURL(pull.html_url);
    expect((await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion)).toEqual(['success']);
  });

  it('never approves a commit that was not on the screen, and offers the new one', async () => {
    await product.asAdmin('PUT', '/orgs/octo-org/memberships/ghost', { role: 'member' });
    const pull = await product.pendingPull();
    await openApproval(pull.details, 'ghost');
    await page.getByText(pull.head.sha.slice(0, 8)).waitFor();
    await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${pull.number}/update-branch`, {});
    const moved = await product.asAdmin<Pull>('GET', `/repos/octo-org/hello/pulls/${pull.number}`);
    await approveButton().click();
    await alert().getByText('This pull request has a new commit.').waitFor();
    await page.getByRole('link', { name: 'Look at the new commit' }).click();
    await page.getByText(moved.head.sha.slice(0, 8)).waitFor();
    await approveButton().click();
    await page.waitForURL(pull.html_url);
    expect((await product.runs(moved.head.sha)).map(({ conclusion }) => conclusion)).toEqual(['success']);
    expect((await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion)).toEqual([null]);
  });
});
