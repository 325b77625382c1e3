import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ownRecord, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { mapOf, setPolicy } from '../support/authenticators.ts';
import {
  cancelNextCeremony,
  launchBrowser,
  signedIn,
  signInAs,
  type Visitor,
  visit,
} from '../support/browser.ts';
import {
  CODE_SUBJECT,
  codeIn,
  type Mailbox,
  type MailRoute,
  mailboxOf,
  startMailRoute,
} from '../support/mailbox.ts';
import {
  registerPasskey,
  type Session,
  startTestProduct,
  type TestProduct,
  until,
} from '../support/product.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const ADDRESS = 'mona@inbox.example';
const VARIANTS = ['marble', 'beam', 'pixel', 'ring', 'bauhaus'];

describe('an account', () => {
  let product: TestProduct;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let route: MailRoute;
  let server: SmtpServer;
  let refusing: SmtpServer;
  let mailbox: Mailbox;

  beforeAll(async () => {
    browser = await launchBrowser();
    route = await startMailRoute();
    server = await startSmtpServer();
    refusing = await startSmtpServer('refuse recipient');
    mailbox = mailboxOf(server);
    product = await startTestProduct({
      crowd: 1,
      env: { SMTP_URL: route.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
    });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await Promise.all([route?.close(), server?.close(), refusing?.close()]);
  });

  afterEach(() => visitor?.leave());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const banner = (text: string) => page.getByRole('alert').getByText(text);
  const bar = () => page.getByRole('navigation', { name: 'OTP Guard' });
  const open = (path: string) => page.goto(`${product.origin}${path}`);

  /** Opens a page in a new browser; with a login, as a person who has signed in. */
  async function visitAs(path: string, login?: string): Promise<void> {
    visitor = await visit(browser, login ? await signedIn(product, login) : {});
    page = visitor.page;
    await open(path);
  }

  /** The drawing without the generated ids of its parts. */
  const drawn = (image: Locator) =>
    image
      .locator('svg')
      .innerHTML()
      .then((svg) => svg.replace(/_r_[0-9a-z]+_/g, 'part'));

  /** The security images at the top of a page that asks for a passkey or a code. */
  const securityImages = () => page.locator('div:has(> p:text-matches("this isn.t OTP Guard")) > span');

  it('is signed in to only with the right state, and the code stays out of the history', async () => {
    await visitAs('/oauth?code=stolen&state=foreign');
    await banner('missing login info').waitFor();
    await open('/login');
    await button('Authenticate with GitHub').click();
    await page.waitForURL(/login\/oauth\/authorize/);
    await open('/oauth?code=stolen&state=foreign');
    await banner("state parameters don't match").waitFor();
    await open(`/oauth?error_description=${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    await banner('GitHub said: <img src=x onerror=alert(1)>').waitFor();
    expect(page.url()).not.toMatch(/code|state|error_description/);
    expect(visitor.faults.filter((fault) => fault.startsWith('dialog'))).toEqual([]);
  });

  it('gets an e-mail address confirmed with a mailed code, and errors on the way lose nothing that was typed', async () => {
    await visitAs('/', 'mona');
    await link(/^E-mail/).click();
    await page.getByText('No e-mail address yet.').waitFor();
    const field = page.getByLabel('E-mail address');
    await button('Set E-Mail').click();
    await banner('E-mail address required').waitFor();
    await field.fill('mona at inbox');
    await button('Set E-Mail').click();
    await banner('Enter an e-mail address, such as mona@example.org.').waitFor();
    expect(await field.inputValue()).toBe('mona at inbox');

    // The mail server is down, then it refuses the address, then it accepts it.
    await field.fill(ADDRESS);
    await button('Set E-Mail').click();
    await banner("We couldn't send the e-mail. Nothing is lost: try again in a moment.").waitFor();
    expect(await field.inputValue()).toBe(ADDRESS);
    route.lead(refusing);
    await button('Set E-Mail').click();
    await banner('The mail server rejected this address. Check it, then try again.').waitFor();
    expect(await field.inputValue()).toBe(ADDRESS);
    route.lead(server);
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
    await bar().getByRole('link', { name: 'Main Dashboard' }).click();
    await page.getByText(ADDRESS).waitFor();

    // Going back from a mistyped address keeps the confirmed one.
    await link(/^E-mail/).click();
    await page.getByLabel('Another e-mail address').fill('mona@elsewhere.example');
    await button('Set E-Mail').click();
    await button('Use another address').click();
    expect(await page.getByLabel('Another e-mail address').inputValue()).toBe('mona@elsewhere.example');
    await page.getByText('Confirmed:').waitFor();
    await page.getByText(ADDRESS).waitFor();
    expect(visitor.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('gets a security image and shows it on every page that asks for a passkey', async () => {
    const pull = await product.pendingPull();
    await visitAs('/image', 'mona');
    const passkey = await visitor.plugIn('internal');
    await page.getByText('No image yet.').waitFor();
    // The first drawing in the page is the preview, until a saved image is shown above it.
    const preview = page.locator('section > div > div > div').first();
    const seen = new Set<string>();
    for (const variant of VARIANTS) {
      await page.getByText(variant, { exact: true }).click();
      seen.add(await drawn(preview));
    }
    expect(seen.size).toBe(VARIANTS.length);
    await button('Set image').click();
    await page.getByText('Successfully set image').waitFor();
    await page.getByText('This is your current image.').waitFor();
    expect((await ownRecord(product, await tokenOf(page))).image).toMatchObject({ variant: 'bauhaus' });

    // A draft survives a reload but isn't saved.
    const saved = (await ownRecord(product, await tokenOf(page))).image;
    await button('New colors').click();
    await button('New shape').click();
    const draft = await drawn(preview);
    await page.reload();
    await page.getByText('This is your current image.').waitFor();
    expect(await drawn(preview)).toBe(draft);
    expect((await ownRecord(product, await tokenOf(page))).image).toEqual(saved);
    await button('Set image').click();
    await page.getByText('Successfully set image').waitFor();

    await page.goto(pull.details);
    await securityImages().waitFor();
    expect(await drawn(securityImages())).toBe(draft);
    await button('Register passkey').click();
    await button('Approve with passkey').waitFor();
    expect(await passkey.credentialCount()).toBe(1);
    expect(await drawn(securityImages())).toBe(draft);
    await page.getByText("Your security image. If it isn't the one you chose").waitFor();
    await open(`/register-security-key${new URL(page.url()).search}`);
    await button('Confirm with passkey').waitFor();
    expect(await drawn(securityImages())).toBe(draft);
    await open('/authenticators');
    await page.locator('tbody a').first().click();
    await button('Delete Authenticator').click();
    await button('Confirm with passkey').waitFor();
    expect(await drawn(securityImages())).toBe(draft);
    expect(visitor.faults).toEqual([]);
  });

  it('lists its organizations with a link to each and a link to add another', async () => {
    const { org, orgID, installation, otherOrg, otherOrgID } = product.github.facts;
    await visitAs('/', 'octocat');
    await link(`Manage ${otherOrg}`).waitFor();
    await link(`Manage ${org}`).click();
    await page.waitForURL(/\/org\?/);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      owner: org,
      ownerID: String(orgID),
      installation: String(installation),
    });
    await heading(org).waitFor();
    await link('Change organization').click();
    const install = await link(/^Add New Organization/).getAttribute('href');
    expect(install).toMatch(/\/apps\/[a-z-]+\/installations\/new$/);
    expect(install?.startsWith(product.github.origin)).toBe(true);

    // Registering from the list asks for the organization first.
    await open('/authenticators');
    await link('Register New Authenticator').click();
    await heading('Select Organization').waitFor();
    await page.getByRole('main').getByRole('link', { name: otherOrg }).click();
    await page.waitForURL((url) => url.searchParams.get('ownerID') === String(otherOrgID));
    await heading('Register authenticator').waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('skips the choice of an organization if there is only one, and offers to add one if there is none', async () => {
    await visitAs('/authenticators', 'mona');
    await link('Register New Authenticator').click();
    await page.waitForURL(/\/register\?/);
    expect(new URL(page.url()).searchParams.get('owner')).toBe(product.github.facts.org);
    await heading('Register authenticator').waitFor();
    // The skipped page isn't in the history.
    await page.goBack();
    await heading('My Authenticators').waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();

    await visitAs('/select-org?target=/register', 'ghost');
    await page.getByText('No GitHub organizations enrolled yet.').waitFor();
    expect(await link(/^Add one/).getAttribute('href')).toMatch(/\/installations\/new$/);
  });

  it('remembers the organization that was chosen last, and forgets it and the session at logout', async () => {
    const { org, otherOrg } = product.github.facts;
    const preference = () => page.evaluate(() => localStorage.getItem('orgPreference'));
    await visitAs('/', 'octocat');
    await bar().getByText('Account:').waitFor();
    await link(`Manage ${otherOrg}`).click();
    await heading(otherOrg).waitFor();
    await open('/');
    await bar().getByText('Organization:').waitFor();
    await bar().getByText(otherOrg).waitFor();
    await page.reload();
    await bar().getByText(otherOrg).waitFor();
    await open('/org');
    await heading(otherOrg).waitFor();
    await open('/org/log');
    await page.waitForURL((url) => url.searchParams.get('owner') === otherOrg);
    // Pages outside the organization don't use the preference.
    await open('/authenticators');
    await bar().getByText('Account:').waitFor();

    const leftover = await preference();
    expect(leftover).toContain(otherOrg);
    const session = await tokenOf(page);
    await button('Logout').click();
    await button('Authenticate with GitHub').waitFor();
    // Logout ends the session here and on the server.
    expect(await page.evaluate(() => Object.values(localStorage).filter(Boolean))).toEqual([]);
    expect((await product.call('/logout', {}, session)).status).toBe(401);
    // A leftover preference doesn't apply to the next person.
    await signInAs(page, 'mona');
    await page.evaluate((text) => localStorage.setItem('orgPreference', text ?? ''), leftover);
    await open('/');
    await bar().getByText('Account:').waitFor();
    expect(await preference()).toBeNull();
    await open('/org');
    await heading('Organizations').waitFor();
    await link(org).click();
    await heading(org).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  describe('in an organization that guards first authenticators', () => {
    let octocat: Session;
    let octocatsKey: SoftwareAuthenticator;
    /** An owner in a browser of their own, with a passkey from before the guard. */
    let owner: Visitor;
    let others: Visitor[] = [];

    const guard = (enrolment: object) => setPolicy(product, octocat, octocatsKey, { enrolment });
    const of = (path: string) => {
      const { org, orgID, installation } = product.github.facts;
      const query = { owner: org, ownerID: String(orgID), installation: String(installation) };
      return `${product.origin}${path}?${new URLSearchParams(query)}`;
    };

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
      await Promise.all([setRole(product, 'hubot', 'admin'), setRole(product, 'ghost', 'member')]);
      octocat = await product.signIn('octocat');
      octocatsKey = await registerPasskey(product, octocat);
      owner = await visit(browser, await signedIn(product, 'hubot'));
      await owner.plugIn('internal');
      await owner.page.goto(of('/register-passkey'));
      await press(owner.page, 'Register passkey');
      await owner.page.getByRole('heading', { name: 'Account' }).waitFor();
    });

    afterEach(async () => {
      await Promise.all(others.map((one) => one.leave()));
      others = [];
    });

    afterAll(() => owner?.leave());

    it('has a newcomer wait for a vouch, and a thief of their whole browser storage in vain', async () => {
      await guard({ mode: 'vouched' });
      const pull = await product.pendingPull();
      await visitAs(new URL(pull.details).pathname + new URL(pull.details).search, 'member-0001');
      await visitor.plugIn('internal');
      await page.reload();
      await page.getByText("so it can't be your first").waitFor();
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
        of('/register-passkey'),
      );
      await press(thief, 'Register passkey');
      await thief.getByRole('heading', { name: 'Waiting for a vouch' }).waitFor();
      const stolen = await comparison(thief);
      await thief.goto(pull.details);
      await thief.getByRole('heading', { name: 'Waiting for a vouch' }).waitFor();
      await page.getByText('took the place of yours').waitFor();
      expect(stolen).not.toBe(code);
      expect(await page.getByText(stolen).count()).toBe(0);
      await owner.page.goto(vouching);
      await owner.page.getByText('confirmed, replaced or removed').waitFor();

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
      await owner.page.getByText('You vouched for member-0001.').waitFor();

      // Her page went on to the pull request by itself. The thief's key approves nothing.
      await button('Approve with passkey').waitFor();
      await thief.goto(pull.details);
      await press(thief, 'Approve with passkey');
      await thief.getByRole('alert').waitFor();
      expect((await product.runs(pull.head.sha))[0]?.conclusion).toBeNull();
      await button('Approve with passkey').click();
      await page.waitForURL(pull.html_url);
      await page.goto(of('/org/authenticators'));
      await page.getByText('Vouched for').waitFor();
      expect(visitor.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
    });

    it('has a newcomer confirm a company address, which a thief without its mailbox cannot', async () => {
      await guard({ mode: 'email', domains: ['inbox.example'] });
      route.lead(server);
      await visitAs(new URL(of('/register')).pathname + new URL(of('/register')).search, 'ghost');
      await visitor.plugIn('internal');
      await page.reload();
      await page.getByLabel('Company address').fill('ghost@elsewhere.example');
      await button('Send code').click();
      await banner("Use your address at one of the organization's own domains.").waitFor();
      await page.getByLabel('Company address').fill('ghost@inbox.example');
      await button('Send code').click();
      const sent = codeIn(await mailbox.take('ghost@inbox.example', CODE_SUBJECT));

      const thief = await another(
        { storageState: await page.context().storageState() },
        of('/register-passkey'),
      );
      await thief.getByLabel('Company address').fill('boss@inbox.example');
      await press(thief, 'Send code');
      await thief.getByLabel('Code from the e-mail').fill(sent);
      await press(thief, 'Register passkey');
      await thief.getByRole('alert').getByText("That code isn't right.").waitFor();
      expect(await mapOf(product, await product.signIn('ghost'))).toEqual({});

      await page.getByLabel('Code from the e-mail').fill(sent === '000000' ? '000001' : '000000');
      await button('Register passkey').click();
      await banner("That code isn't right.").waitFor();
      await page.getByLabel('Code from the e-mail').fill(sent);
      await button('Register passkey').click();
      await heading('Inbox').waitFor();
      await owner.page.goto(of('/org/members'));
      await owner.page.getByRole('row').filter({ hasText: 'ghost@inbox.example' }).waitFor();
    });

    it('registers a second device with a link, which serves only its person and only once', async () => {
      const first = owner.page;
      await first.goto(of('/add-device'));
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
      await second.getByText(/^Name: /).click();
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
