import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asApp, listed, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp, listOf, orgOf, registerCodes, registerKey } from '../support/authenticators.ts';
import { launchBrowser, signedIn, signInAs, turnDown, type Visitor, visit } from '../support/browser.ts';
import { type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';
import { approveByCode, approveByKey, IMAGE } from './lived-in.ts';

const NEXT_STEP_MS = 30_000;

describe('an organization', () => {
  let product: TestProduct;
  let browser: Browser;
  let mona: Session;
  let monasKey: SoftwareAuthenticator;
  let visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct();
    mona = await product.signIn('mona');
    ({ key: monasKey } = await registerKey(product, mona, { label: 'Phone of mona' }));
    const octocat = await product.signIn('octocat');
    // The members are read in the background, and a sign-in at the same time may have prevented it.
    await asApp(product, 'DELETE', `/app/installations/${product.github.facts.installation}/suspended`);
    await until('the list of members', async () => {
      const answer = await product.call('/organization', { orgID: orgOf(product).orgID }, octocat);
      return answer.json<{ members: { asOf: string | null } }>().members.asOf;
    });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  beforeEach(() => {
    visitors = [];
  });

  afterEach(() => Promise.all(visitors.map((visitor) => visitor.leave())));

  /** Somebody who is signed in, at a browser of their own and at an address of the dashboard. */
  async function at(login: string, path: string): Promise<Visitor & { page: Page }> {
    const visitor = await visit(browser, await signedIn(product, login));
    visitors.push(visitor);
    await visitor.page.goto(`${product.origin}${path}`);
    return visitor;
  }

  /** The address of a page that is about the organization. */
  function of(path: string, more: Record<string, string> = {}): string {
    const { org, orgID, installation } = product.github.facts;
    const query = { owner: org, ownerID: String(orgID), installation: String(installation), ...more };
    return `${path}?${new URLSearchParams(query)}`;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const says = (page: Page, text: string) => page.getByRole('alert').getByText(text);
  /** The list of the log, without the rest of the page. */
  const entries = (page: Page) => page.locator('[data-entry]');
  const entry = (page: Page, text: string | RegExp) => entries(page).filter({ hasText: text });

  /** In the place of the page: it has not been loaded again as long as the mark is there. */
  const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }) && undefined);
  const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

  it('shows its owner who cannot approve and what waits, and another person’s log shows each step live', async () => {
    const pull = await product.pendingPull('Water the plants');
    const { page: log, faults: logFaults } = await at('mona', of('/org/log'));
    await entry(log, 'registered the passkey “Phone of mona”').waitFor();
    await mark(log);

    const owner = await at('octocat', of('/org'));
    const { page } = owner;
    await page.getByText('1 of 2 members has an authenticator').waitFor();
    await button(page, 'Show the one without').click();
    await page.getByRole('heading', { name: 'Without an authenticator' }).waitFor();
    const missing = page.getByRole('listitem').filter({ hasText: 'Owner' });
    await missing.getByRole('link', { name: 'octocat' }).waitFor();
    await page.getByText('2 pull requests wait for approval.').waitFor();

    // Without an authenticator the way leads by a registration.
    const passkey = await owner.plugIn('internal');
    await page.getByRole('link', { name: `Approve hello #${pull.number}` }).click();
    await heading(page, 'Register authenticator').waitFor();
    await page.getByRole('link', { name: /^Platform/ }).click();
    await page.getByLabel('Label').fill('Desk of octocat');
    await button(page, 'Register passkey').click();
    await page.getByText('Water the plants').waitFor();
    expect(await passkey.credentials()).toBe(1);
    await entry(log, 'registered the passkey “Desk of octocat”').waitFor();
    await button(page, 'Approve with passkey').click();
    await page.waitForURL(pull.html_url);
    expect((await product.runs(pull.head.sha))[0]?.conclusion).toBe('success');
    const approval = `approved hello #${pull.number} at ${pull.head.sha.slice(0, 8)}`;
    await entry(log, approval).waitFor();
    expect(await entries(log).first().textContent()).toContain(approval);
    expect(await isMarked(log)).toBe(true);

    await page.goto(`${product.origin}${of('/org')}`);
    await page.getByText('All 2 members have an authenticator').waitFor();
    await page.getByText('1 pull request waits for approval.').waitFor();
    await page.getByText('You have a passkey or security key here.').waitFor();
    expect([...owner.faults, ...logFaults]).toEqual([]);
  });

  it('shows a member less than an owner, and no link to what is for owners', async () => {
    const { page, faults } = await at('mona', of('/org'));
    await page.getByText('Every pull request in every repository is checked.').waitFor();
    await page.getByText('You have a passkey or security key here.').waitFor();
    await entries(page).first().waitFor();
    for (const name of ['Waiting', 'Members']) {
      expect(await page.getByRole('heading', { name }).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Security image' }).count()).toBe(0);
    await page.getByRole('link', { name: 'All activity' }).click();
    await heading(page, 'Activity Log').waitFor();
    expect(faults).toEqual([]);
  });

  it('has an image that its owner sets and its members see, on its own page and where they approve', async () => {
    const pull = await product.pendingPull();
    const member = await at('mona', of('/org/image'));
    await member.page.getByText('No image is set. The owners of octo-org can set one.').waitFor();
    const { page, faults } = await at('octocat', of('/org'));
    await page.getByRole('link', { name: 'Security image' }).click();
    await heading(page, 'Organization image').waitFor();
    await page.getByText('bauhaus').click();
    await button(page, 'Set image').click();
    await page.getByText('Successfully set image').waitFor();

    await member.page.reload();
    await member.page.getByText('The owners of octo-org set this image.').waitFor();
    await member.page.locator('main svg').waitFor();
    await member.page.goto(pull.details);
    await member.page.getByText('The security image of octo-org. If it is not the one you know').waitFor();
    expect((await product.call('/personal-set-image', { orgID: 0, image: IMAGE }, mona)).status).toBe(200);
    await member.page.reload();
    await member.page.getByText('Your security image and that of octo-org.').waitFor();
    const images = member.page.locator('div:has(> p:text-matches("this is not OTP Guard")) > span svg');
    await until('both images', async () => (await images.count()) === 2);
    expect([...faults, ...member.faults]).toEqual([]);
  });

  it('has a log that can be filtered by person and by kind, with the filter in the address', async () => {
    const { page, faults } = await at('octocat', of('/org/log'));
    await entry(page, 'octocat').first().waitFor();
    const all = await entries(page).count();
    await page.getByLabel('Person').fill('MONA');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('person') === 'MONA');
    await until('the entries of mona alone', async () => (await entry(page, 'octocat').count()) === 0);
    await entry(page, 'mona').first().waitFor();
    await page.getByLabel('Kind').selectOption({ label: 'Registered a passkey or security key' });
    await until('the one entry', async () => (await entries(page).count()) === 1);
    await entry(page, 'registered the passkey “Phone of mona”').waitFor();

    const address = page.url();
    await page.reload();
    await entry(page, 'registered the passkey “Phone of mona”').waitFor();
    expect(page.url()).toBe(address);
    expect(await page.getByLabel('Person').inputValue()).toBe('MONA');
    await page.getByLabel('Person').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches. Choose another person or kind, or clear both.').waitFor();
    await page.goBack();
    await entry(page, 'registered the passkey “Phone of mona”').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await until('every entry', async () => (await entries(page).count()) === all);
    expect(await page.getByLabel('Person').inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  it('lets its owner remove the passkey of a member who lost it, with a confirmation by the owner', async () => {
    await setRole(product, 'ghost', 'member');
    await setRole(product, 'hubot', 'admin');
    const ghost = await product.signIn('ghost');
    expect((await registerKey(product, ghost, { label: 'Lost in a lake' })).status).toBe(200);
    const all = of('/org/authenticators');
    const member = await at('ghost', '/authenticators');
    await member.page.getByText('Lost in a lake').waitFor();

    // Without an authenticator of their own an owner cannot confirm.
    const owner = await at('hubot', all);
    const { page } = owner;
    const passkey = await owner.plugIn('internal');
    const begin = async () => {
      await page.getByRole('link', { name: 'Lost in a lake' }).click();
      await page.getByText("This is ghost's passkey.").waitFor();
      await button(page, 'Delete Authenticator').click();
    };
    await begin();
    await says(page, 'Step-up authentication required but no authenticators exist.').waitFor();
    await button(page, 'Keep it').click();
    await page.goto(`${product.origin}${all}`);
    await page.getByRole('link', { name: 'Register New Authenticator' }).click();
    await page.getByRole('link', { name: /^Platform/ }).click();
    await button(page, 'Register passkey').click();
    await heading(page, 'Registered Authenticators').waitFor();
    expect(await passkey.credentials()).toBe(1);

    await begin();
    await page.getByText('ghost is told that you deleted it.').waitFor();
    await turnDown(page, 'get');
    await button(page, 'Confirm with passkey').click();
    await says(page, 'Authentication was not completed').waitFor();
    expect((await listOf(product, ghost, 'webauthn')).length).toBe(1);
    await button(page, 'Confirm with passkey').click();
    await heading(page, 'Registered Authenticators').waitFor();
    await page.getByRole('row').filter({ hasText: 'hubot' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'ghost' }).count()).toBe(0);
    await member.page.reload();
    await member.page.getByText('You have no authenticator yet.').waitFor();
    await page.goto(`${product.origin}${of('/org/log')}`);
    await entry(page, "removed ghost's passkey “Lost in a lake”").waitFor();
    expect([...owner.faults, ...member.faults]).toEqual([]);
  });

  it('says who approved a commit and with what, and says when nobody did', async () => {
    const [pull, other] = [await product.pendingPull(), await product.pendingPull()];
    await setRole(product, 'ghost', 'member');
    const ghost = await product.signIn('ghost');
    const app = new CodeApp();
    expect((await registerCodes(product, ghost, { app, code: app.codeAt(Date.now()) })).status).toBe(200);
    await approveByKey(product, mona, monasKey, pull);
    await approveByCode(product, ghost, app.codeAt(Date.now() + NEXT_STEP_MS), pull);

    const { page, faults } = await at('mona', of('/org/log'));
    await entry(page, 'ghost')
      .getByRole('link', { name: new RegExp(`^approved hello #${pull.number} at .* with a one-time code`) })
      .click();
    await heading(page, 'Approvals of a commit').waitFor();
    await page.getByText(pull.head.sha.slice(0, 8)).waitFor();
    const approvals = page.getByRole('main').getByRole('listitem');
    await until('both approvals', async () => (await approvals.count()) === 2);
    await approvals.filter({ hasText: 'mona' }).getByText('Phone of mona').waitFor();
    await approvals.filter({ hasText: 'ghost' }).getByText('One-time code').waitFor();

    const { repo } = product.github.facts;
    const query = { head: other.head.sha, pr: String(other.number), repo };
    await page.goto(`${product.origin}${of('/commit', query)}`);
    await page.getByText('No OTP activity found for commit').waitFor();
    expect(faults).toEqual([]);
  });

  it('is no longer shown to a former member, on any page that is still open', async () => {
    await setRole(product, 'ghost', 'member');
    const pull = await product.pendingPull('Only for members');
    const pages = [
      await at('ghost', of('/org')),
      await at('ghost', of('/org/log')),
      await at('ghost', of('/org/authenticators')),
      await at('ghost', '/'),
    ] as const;
    const [home, log, authenticators, account] = pages.map(({ page }) => page) as [Page, Page, Page, Page];
    await entries(home).first().waitFor();
    await entries(log).first().waitFor();
    await heading(authenticators, 'Registered Authenticators').waitFor();
    await account.getByRole('link', { name: 'Manage octo-org' }).waitFor();

    const shown = await entries(log).count();
    const ghost = await product.signIn('ghost');
    await setRole(product, 'ghost', null);
    await until('the end of what a member sees', async () => {
      const { items } = await listed(product, ghost, 'gh_activities');
      return items.length === 0;
    });
    await approveByKey(product, mona, monasKey, pull);
    // What was heard live is not heard any more.
    expect(await entry(log, `approved hello #${pull.number}`).count()).toBe(0);
    expect(await entries(log).count()).toBe(shown);

    await log.getByLabel('Kind').selectOption({ label: 'Registered a passkey or security key' });
    await log.getByText('Nothing matches.').waitFor();
    expect(await entries(log).count()).toBe(0);
    await home.getByRole('link', { name: 'All activity' }).click();
    await home.getByText('Nothing yet.').waitFor();
    expect(await entries(home).count()).toBe(0);
    await account.getByRole('link', { name: 'Manage octo-org' }).click();
    await says(account, 'You are not a member of this organization.').waitFor();
    await authenticators.getByRole('link', { name: /^octo-org/ }).click();
    await says(authenticators, 'You are not a member of this organization.').waitFor();
    for (const page of [home, log, authenticators, account]) {
      await page.reload();
      await says(page, 'No org ID, this is a bug').waitFor();
      expect(await entries(page).count()).toBe(0);
    }
    await account.getByRole('link', { name: 'Choose an organization' }).click();
    await account.getByText('No GitHub organizations enrolled yet.').waitFor();
  });

  it.each([
    ['/org/repositories', 'Connected Repositories', 'octo-org/hello'],
    ['/register-totp?owner=octo-org', 'Register one-time code', 'octo-org'],
  ])('is chosen on the way to %s when the address names none', async (address, title, text) => {
    const { page, faults } = await at('octocat', address);
    await page.getByRole('link', { name: 'Choose an organization' }).click();
    await heading(page, 'Select Organization').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'octo-org' }).click();
    await heading(page, title).waitFor();
    await page.getByRole('main').getByText(text).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('signs a person out whose token GitHub no longer takes, says why, and goes on after a new sign-in', async () => {
    const { page } = await at('octocat', '/');
    await page.evaluate(() => localStorage.setItem('gh_accessToken', 'ghu_gone'));
    await page.goto(`${product.origin}${of('/org/repositories')}`);
    await says(page, 'Not authorized with GitHub').waitFor();
    await signInAs(page, 'octocat');
    await heading(page, 'Connected Repositories').waitFor();
    await page.getByText('octo-org/hello').waitFor();
  });
});
