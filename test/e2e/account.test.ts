import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ownRecord, registerPasskey, setPolicy, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  accessibilityFaults,
  cancelNextCeremony,
  launchBrowser,
  ofOrganization,
  signedIn,
  signInAs,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { CODE_SUBJECT, codeIn, type Mailbox, mailboxOf } from '../support/mailbox.ts';
import { type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const ADDRESS = 'mona@inbox.example';

describe('an account', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let mail: SmtpServer;
  let mailbox: Mailbox;

  beforeAll(async () => {
    browser = await launchBrowser();
    mail = await startSmtpServer();
    mailbox = mailboxOf(mail);
    product = await startTestProduct({
      crowd: 1,
      env: { SMTP_URL: mail.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
    });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await mail?.close();
  });

  afterEach(() => visitor?.leave());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const banner = (text: string) => page.getByRole('alert').getByText(text);
  const open = (path: string) => page.goto(`${product.origin}${path}`);

  /** Opens a page in a new browser; with a login, as a person who has signed in. */
  async function visitAs(path: string, login?: string): Promise<void> {
    visitor = await visit(browser, login ? await signedIn(product, login) : {});
    page = visitor.page;
    await open(path);
  }

  const of = (path: string) => ofOrganization(product, path);

  /** The drawing without the generated ids of its parts. */
  const drawn = (image: Locator) =>
    image
      .locator('svg')
      .innerHTML()
      .then((svg) => svg.replace(/_r_[0-9a-z]+_/g, 'part'));

  /** The security images at the top of a page that asks for a passkey or a code. */
  const securityImages = () => page.locator('div:has(> p:text-matches("this isn.t OTP Guard")) > span');

  it('remembers the organization chosen last, and forgets it and the session at logout', async () => {
    const { otherOrg, otherOrgID } = product.github.facts;
    await visitAs('/authenticators', 'octocat');
    await link('Register New Authenticator').click();
    await heading('Select Organization').waitFor();
    await page.getByRole('main').getByRole('link', { name: otherOrg }).click();
    await page.waitForURL((url) => url.searchParams.get('ownerID') === String(otherOrgID));
    await heading('Register authenticator').waitFor();
    await open('/org/log');
    await page.waitForURL((url) => url.searchParams.get('owner') === otherOrg);
    const session = await tokenOf(page);
    await page.getByRole('button', { name: /^Account of / }).click();
    await button('Logout').waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await button('Logout').click();
    await button('Authenticate with GitHub').waitFor();
    // Logout ends the session here and on the server.
    expect(await page.evaluate(() => Object.values(localStorage).filter(Boolean))).toEqual([]);
    expect((await product.call('/logout', {}, session)).status).toBe(401);
    await signInAs(page, 'mona');
    expect(visitor.faults).toEqual([]);
  });

  it('gets an e-mail address confirmed with a mailed code, and a refusal loses nothing that was typed', async () => {
    await visitAs('/', 'mona');
    await link(/^E-mail/).click();
    await page.getByText('No e-mail address yet.').waitFor();
    const field = page.getByLabel('E-mail address');
    await field.fill('mona at inbox');
    await button('Set E-Mail').click();
    await banner('Enter an e-mail address, such as mona@example.org.').waitFor();
    expect(await field.inputValue()).toBe('mona at inbox');
    await field.fill(ADDRESS);
    await button('Set E-Mail').click();
    await page.getByText('We sent a 6-digit code to').waitFor();

    const right = codeIn(await mailbox.take(ADDRESS, CODE_SUBJECT));
    const wrong = right === '000000' ? '000001' : '000000';
    const code = page.getByLabel('Code from the e-mail');
    await code.fill(wrong);
    await banner("That code isn't right. Enter the one from the e-mail.").waitFor();
    await page.getByText(ADDRESS).waitFor();
    // A reload keeps the code step.
    await page.reload();
    await page.getByText(ADDRESS).waitFor();
    expect((await ownRecord(product, await tokenOf(page))).email).toBe('');
    await code.fill(right);
    await page.getByText('E-mail address confirmed.').waitFor();
    await page.getByText('Confirmed:').waitFor();
    expect((await ownRecord(product, await tokenOf(page))).email).toBe(ADDRESS);

    // Going back from a mistyped address keeps the confirmed one.
    await page.getByLabel('Another e-mail address').fill('mona@elsewhere.example');
    await button('Set E-Mail').click();
    await button('Use another address').click();
    expect(await page.getByLabel('Another e-mail address').inputValue()).toBe('mona@elsewhere.example');
    await page.getByText('Confirmed:').waitFor();
    await page.getByText(ADDRESS).waitFor();
    expect(visitor.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('gets a security image and shows it on every page that asks for a passkey, with that of the organization', async () => {
    const pull = await product.pendingPull();
    await visitAs('/image', 'mona');
    await visitor.plugIn('internal');
    await page.getByText('No image yet.').waitFor();
    // The first drawing in the page is the preview, until a saved image is shown above it.
    const preview = page.locator('section > div > div > div').first();
    await page.getByText('bauhaus', { exact: true }).click();
    const chosen = await drawn(preview);
    await button('Set image').click();
    await page.getByText('Successfully set image').waitFor();
    await page.getByText('This is your current image.').waitFor();
    expect((await ownRecord(product, await tokenOf(page))).image).toMatchObject({ variant: 'bauhaus' });

    await page.goto(pull.details);
    await securityImages().waitFor();
    expect(await drawn(securityImages())).toBe(chosen);
    await button('Register passkey').click();
    await button('Approve with passkey').waitFor();
    expect(await drawn(securityImages())).toBe(chosen);
    await page.getByText("Your security image. If it isn't the one you chose").waitFor();
    await open('/authenticators');
    await page.locator('tbody a').first().click();
    await button('Delete Authenticator').click();
    await button('Confirm with passkey').waitFor();
    expect(await drawn(securityImages())).toBe(chosen);
    expect(visitor.faults).toEqual([]);
    await visitor.leave();

    await visitAs(of('/org/image'), 'octocat');
    await page.getByText('bauhaus').click();
    await button('Set image').click();
    await page.getByText('Successfully set image').waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
    await visitAs(`${new URL(pull.details).pathname}${new URL(pull.details).search}`, 'mona');
    await page.getByText('Your security image and that of octo-org.').waitFor();
    await until('both images', async () => (await securityImages().count()) === 2);
    expect(visitor.faults).toEqual([]);
  });

  describe('in an organization that guards first authenticators', () => {
    let octocat: Session;
    let octocatsKey: SoftwareAuthenticator;
    /** An owner in a browser of their own, with a passkey from before the guard. */
    let owner: Visitor;
    let others: Visitor[] = [];

    const absolute = (path: string) => `${product.origin}${of(path)}`;

    /** Another browser, with a passkey device. */
    async function another(options: BrowserContextOptions, path: string): Promise<Page> {
      const one = await visit(browser, options);
      others.push(one);
      await one.plugIn('internal');
      await one.page.goto(path);
      return one.page;
    }

    const press = (on: Page, name: string) => on.getByRole('button', { name, exact: true }).click();
    const comparison = async (on: Page) =>
      (await on.locator('dl > dd', { hasText: /^\d{3} \d{3}$/ }).textContent()) ?? '';

    beforeAll(async () => {
      await setRole(product, 'hubot', 'admin');
      octocat = await product.signIn('octocat');
      octocatsKey = await registerPasskey(product, octocat);
      owner = await visit(browser, await signedIn(product, 'hubot'));
      await owner.plugIn('internal');
      await owner.page.goto(absolute('/register-passkey'));
      await press(owner.page, 'Register passkey');
      await owner.page.getByRole('heading', { name: 'Account' }).waitFor();
    });

    afterEach(async () => {
      await Promise.all(others.map((one) => one.leave()));
      others = [];
    });

    afterAll(() => owner?.leave());

    it('has a newcomer wait for a vouch, and a thief of their whole browser storage in vain', async () => {
      await setPolicy(product, octocat, octocatsKey, { enrolment: { mode: 'vouched' } });
      const pull = await product.pendingPull();
      await visitAs(new URL(pull.details).pathname + new URL(pull.details).search, 'member-0001');
      await visitor.plugIn('internal');
      await page.reload();
      await page.getByText('confirm your first passkey or security key before you can approve').waitFor();
      await link('Other options').click();
      await link(/^Security key/).waitFor();
      expect(await link(/^Authenticator app/).count()).toBe(0);
      await link(/^Passkey/).click();
      await button('Register passkey').click();
      await heading('Waiting for a vouch').waitFor();
      const code = await comparison(page);
      const vouching = (await page.locator('code').textContent()) ?? '';

      // The thief's key takes the place of hers. Her page doesn't show her its code.
      const thief = await another(
        { storageState: await page.context().storageState() },
        absolute('/register-passkey'),
      );
      await press(thief, 'Register passkey');
      await thief.getByRole('heading', { name: 'Waiting for a vouch' }).waitFor();
      const stolen = await comparison(thief);
      await thief.goto(pull.details);
      await thief.getByRole('heading', { name: 'Waiting for a vouch' }).waitFor();
      await page.getByText('replaced yours').waitFor();
      expect(stolen).not.toBe(code);
      expect(await page.getByText(stolen).count()).toBe(0);
      await owner.page.goto(vouching);
      await owner.page.getByText('confirmed, replaced or deleted').waitFor();

      // Hers takes its place again, and she sends the new link.
      await link('Register again').click();
      await button('Register passkey').click();
      await heading('Waiting for a vouch').waitFor();
      const mine = await comparison(page);
      // A browser that doesn't know which one is hers asks for a touch before it shows a code.
      await page.evaluate(() => {
        for (const key of Object.keys(localStorage))
          if (key.startsWith('pending:')) localStorage.removeItem(key);
      });
      await page.reload();
      await button('Show the code').waitFor();
      expect(await page.getByText(mine).count()).toBe(0);
      await button('Show the code').click();
      expect(await comparison(page)).toBe(mine);
      await owner.page.getByRole('link', { name: 'See who waits' }).click();
      // The owner has to hear the digits: no page of theirs shows them.
      const vouchLink = owner.page.getByRole('link', { name: 'Vouch for member-0001' });
      await vouchLink.waitFor();
      expect(await owner.page.getByText(mine).count()).toBe(0);
      await vouchLink.click();
      await owner.page.getByRole('heading', { name: 'Vouch for member-0001' }).waitFor();
      expect(await owner.page.getByText(mine).count()).toBe(0);
      const heard = owner.page.getByLabel('The code that member-0001 tells you');
      await heard.fill(stolen);
      await press(owner.page, 'Vouch for member-0001');
      await owner.page.getByRole('alert').getByText('nothing was signed').waitFor();
      await heard.fill(mine);
      await cancelNextCeremony(owner.page, 'get');
      await press(owner.page, 'Vouch for member-0001');
      await owner.page.getByRole('alert').getByText('Authentication was not completed').waitFor();
      await press(owner.page, 'Vouch for member-0001');
      await owner.page.getByText('You vouched for member-0001. member-0001 can approve now.').waitFor();

      // Her page continued to the pull request automatically. The thief's key approves nothing.
      await button('Approve with passkey').waitFor();
      await thief.goto(pull.details);
      await press(thief, 'Approve with passkey');
      await thief.getByRole('alert').waitFor();
      expect((await product.runs(pull.head.sha))[0]?.conclusion).toBeNull();
      await button('Approve with passkey').click();
      await page.waitForURL(pull.html_url);
      await page.goto(absolute('/org/authenticators'));
      await page.getByText('Vouched for').waitFor();
      expect(visitor.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
    });

    it('registers a second device with a link, which serves only its person and only once', async () => {
      const first = owner.page;
      await first.goto(absolute('/add-device'));
      await press(first, 'Confirm with passkey');
      await first.getByRole('img', { name: 'QR code of the link for your other device' }).waitFor();
      const url = (await first.locator('code').textContent()) ?? '';
      const other = await another(await signedIn(product, 'octocat'), url);
      await press(other, 'Register passkey');
      await other.getByRole('alert').getByText("isn't yours").waitFor();

      const second = await another({}, url);
      await second.getByRole('button', { name: 'Authenticate with GitHub' }).waitFor();
      expect(second.url()).not.toContain('#');
      await signInAs(second, 'hubot');
      await second.getByText(/^Label: /).click();
      await second.getByLabel('Label').fill('Phone of hubot');
      await press(second, 'Register passkey');
      await second.getByRole('heading', { name: 'Confirm on your other device' }).waitFor();
      expect(
        await second.evaluate(() => JSON.stringify({ ...sessionStorage, ...history.state })),
      ).not.toContain('secret');

      await first.getByText('Phone of hubot').waitFor();
      expect(await comparison(first)).toBe(await comparison(second));
      await press(first, 'The code is the same: confirm');
      await first.getByText('Your other device is ready').waitFor();
      await second.getByRole('heading', { name: 'Ready to approve' }).waitFor();

      const again = await another(await signedIn(product, 'hubot'), url);
      await press(again, 'Register passkey');
      await again.getByRole('alert').getByText('already used').waitFor();
    });
  });
});

/** The session of the person signed in on the page. */
async function tokenOf(page: Page): Promise<{ token: string }> {
  return until('the session', () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('pocketbase_auth') ?? 'null') as { token: string }),
  );
}
