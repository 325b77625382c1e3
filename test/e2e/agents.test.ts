import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { registerKey, registerPasskey, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  accessibilityFaults,
  launchBrowser,
  ofOrganization,
  signedIn,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { approveByKey, type Pull, startTestProduct, type TestProduct, until } from '../support/product.ts';

describe('a team with agents', () => {
  let product: TestProduct;
  let browser: Browser;
  let octocatsKey: SoftwareAuthenticator;
  let visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct();
    await setRole(product, 'hubot', 'member');
    octocatsKey = await registerPasskey(product, await product.signIn('octocat'));
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  afterEach(async () => {
    await Promise.all(visitors.map((visitor) => visitor.leave()));
    visitors = [];
  });

  async function as(login: string): Promise<Visitor> {
    const visitor = await visit(browser, await signedIn(product, login));
    visitors.push(visitor);
    return visitor;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('has two others approve what a person asked an agent for', async () => {
    const owner = await as('octocat');
    await owner.plugIn('internal', octocatsKey);
    await owner.page.goto(`${product.origin}${ofOrganization(product, '/org/policy')}`);
    await button(owner.page, 'A team with agents').click();
    expect(await accessibilityFaults(owner.page, 'all')).toEqual([]);
    await button(owner.page, 'Review and save').click();
    await button(owner.page, 'Confirm with passkey').click();
    await owner.page.getByText('Saved. Every open pull request is judged again now.').waitFor();

    const mona = await as('mona');
    await mona.page.goto(`${product.github.origin}/octo-org/hello`);
    await mona.page.getByLabel('Asked by').selectOption('mona');
    await button(mona.page, 'Let the agent open a pull request').click();
    await mona.page.waitForURL(/\/pull\/\d+$/);
    const pull = await product.asAdmin<Pull>(
      'GET',
      `/repos/octo-org/hello/pulls/${mona.page.url().split('/').at(-1)}`,
    );
    const [run] = await until('its check run', async () => {
      const runs = await product.runs(pull.head.sha);
      return runs.length > 0 && runs;
    });
    const details = run?.details_url ?? '';
    await mona.page.goto(details);
    await mona.page.getByText('You asked for this change, so another person has to approve it.').waitFor();
    expect(await mona.page.getByRole('button', { name: /approve|register/i }).count()).toBe(0);

    await owner.page.goto(details);
    await owner.page.getByText(/^Copilot opened it/).waitFor();
    await button(owner.page, 'Approve with passkey').click();
    await owner.page.getByRole('heading', { name: 'The check still waits' }).waitFor();
    const hubot = await product.signIn('hubot');
    const { key } = await registerKey(product, hubot, { label: 'Key of hubot' });
    await approveByKey(product, hubot, key, pull);
    await until('the check to pass', async () =>
      (await product.runs(pull.head.sha)).some(({ conclusion }) => conclusion === 'success'),
    );
    expect([...owner.faults, ...mona.faults]).toEqual([]);
  });
});
