import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asApp, listOf, orgOf, registerKey, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  accessibilityFaults,
  cancelNextCeremony,
  launchBrowser,
  ofOrganization,
  signedIn,
  type Visitor,
  visit,
} from '../support/browser.ts';
import { confirmAddress, mailboxOf } from '../support/mailbox.ts';
import { approveByKey, type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';

describe('an organization', () => {
  let product: TestProduct;
  let browser: Browser;
  let mail: SmtpServer;
  let mailbox: ReturnType<typeof mailboxOf>;
  let mona: Session;
  let monasKey: SoftwareAuthenticator;
  let visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    mail = await startSmtpServer();
    product = await startTestProduct({
      waits: { deliveryMs: 1_000, deliverEveryMs: 500, sendEveryMs: 500 },
      env: { SMTP_URL: mail.url, MAIL_FROM: 'otp-guard@inbox.example' },
    });
    mona = await product.signIn('mona');
    ({ key: monasKey } = await registerKey(product, mona, { label: 'Phone of mona' }));
    const octocat = await product.signIn('octocat');
    mailbox = mailboxOf(mail);
    await confirmAddress(product, octocat, mailbox, 'octocat@inbox.example');
    // Members are read in the background. A sign-in at the same time may have prevented it, so this starts it again.
    await asApp(product, 'DELETE', `/app/installations/${product.github.facts.installation}/suspended`);
    await until('the list of members', async () => {
      const answer = await product.call('/organization', { orgID: orgOf(product).orgID }, octocat);
      return answer.json<{ members: { asOf: string | null } }>().members.asOf;
    });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await mail?.close();
  });

  beforeEach(() => {
    visitors = [];
  });

  afterEach(() => Promise.all(visitors.map((visitor) => visitor.leave())));

  /** Opens a page of the dashboard for a signed-in person with a browser of their own. */
  async function at(login: string, path: string): Promise<Visitor> {
    const visitor = await visit(browser, await signedIn(product, login));
    visitors.push(visitor);
    await visitor.page.goto(`${product.origin}${path}`);
    return visitor;
  }

  const of = (path: string, more?: Record<string, string>) => ofOrganization(product, path, more);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const banner = (page: Page, text: string) => page.getByRole('alert').getByText(text);
  /** One of the four tiles of the overview. */
  const tile = (page: Page, title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: title }) });
  /** The rows of the log. */
  const entries = (page: Page) => page.locator('[data-entry]');
  const entry = (page: Page, text: string | RegExp) => entries(page).filter({ hasText: text });

  /** A mark in the window, which a reload would remove. */
  const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }) && undefined);
  const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

  it('shows its owner the members who cannot approve and the waiting pull requests, and each step live in the log', async () => {
    const pull = await product.pendingPull('Water the plants');
    const { page: log, faults: logFaults } = await at('mona', of('/org/log'));
    await entry(log, 'registered the passkey “Phone of mona”').waitFor();
    await mark(log);

    const owner = await at('octocat', of('/org'));
    const { page } = owner;
    await page.getByRole('heading', { level: 2, name: 'Bypass lists not readable yet' }).waitFor();
    await tile(page, 'People').getByText('1 of 2').waitFor();
    await tile(page, 'People')
      .getByRole('link', { name: /^Invite/ })
      .click();
    await page.getByText('1 of 2 members', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^octocat Owner None/ }).waitFor();
    await button(page, 'Remind 1 member to register').click();
    await page.getByText('1 member has no authenticator, and we can send them an e-mail.').waitFor();
    await button(page, 'Send 1 e-mail').click();
    await page.getByText("We're sending 1 e-mail.").waitFor();
    await mailbox.take('octocat@inbox.example', 'Register an authenticator');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('2 pull requests are waiting for approval.').waitFor();

    // Without an authenticator, approving starts with a registration.
    const passkey = await owner.plugIn('internal');
    await page.getByRole('link', { name: 'Water the plants' }).click();
    await page.getByText(/^Label: /).click();
    await page.getByLabel('Label').fill('Desk of octocat');
    await button(page, 'Register passkey').click();
    await page.getByText('Water the plants').waitFor();
    expect(await passkey.credentialCount()).toBe(1);
    await entry(log, 'registered the passkey “Desk of octocat”').waitFor();
    await button(page, 'Approve with passkey').click();
    await page.waitForURL(pull.html_url);
    expect((await product.runs(pull.head.sha))[0]?.conclusion).toBe('success');
    const approval = `approved hello #${pull.number} at ${pull.head.sha.slice(0, 8)}`;
    await entry(log, approval).waitFor();
    expect(await entries(log).first().textContent()).toContain(approval);
    expect(await isMarked(log)).toBe(true);

    await page.goto(`${product.origin}${of('/org')}`);
    await tile(page, 'People').getByText('2 of 2').waitFor();
    await page.getByText('1 pull request is waiting for approval.').waitFor();
    await page.getByText('You have a passkey or security key here.').waitFor();

    const enforce = (enforcement: string) =>
      product.asAdmin('PUT', '/repos/octo-org/hello/rulesets/1', { enforcement });
    await enforce('disabled');
    await page.getByText(/^Setup health:/).click();
    await button(page, 'Check again').click();
    await page.getByRole('heading', { level: 2, name: "1 repository couldn't be checked" }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Acknowledge log entry/ }).click();
    await button(page, 'Confirm with passkey').click();
    await page.getByText(/^You acknowledged log entry \d+\./).waitFor();
    await entry(log, 'acknowledged log entry').waitFor();
    await enforce('active');
    expect([...owner.faults, ...logFaults]).toEqual([]);
  });

  it('lets people take its receipts and its log along, and verify them without sending them', async () => {
    const pull = await product.pendingPull();
    await approveByKey(product, mona, monasKey, pull);
    const target = { head: pull.head.sha, pr: String(pull.number), repo: product.github.facts.repo };
    const { page, faults } = await at('octocat', of('/commit', target));
    const save = async (name: string, file = ''): Promise<string> => {
      const [saved] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
      expect(saved.suggestedFilename()).toContain(`otp-guard-${file}`);
      return readFileSync(await saved.path(), 'utf8');
    };
    const receipt = await save('Download receipt of mona', `hello-${pull.number}-${target.head}.json`);
    for (const text of ['Signature valid', 'User verified', 'With a GitHub sign-in alone'])
      await page.getByRole('listitem').getByText(text).waitFor();
    await page.goto(`${product.origin}${of('/org/log')}`);
    await page.getByText(/^(Log intact: )?\d+ entries, last checkpoint/).waitFor();
    await page.getByRole('link', { name: 'Export the log or receipts' }).click();
    await heading(page, 'Exports').waitFor();
    const log = await save('Export');
    await page.getByLabel('The receipts of one release').check();
    await page.getByLabel('Repository', { exact: true }).fill(target.repo);
    await page.getByLabel('Commits', { exact: true }).fill(`${target.head}\n${'a'.repeat(40)}`);
    const bundle = await save('Export');
    await page.getByRole('listitem').filter({ hasText: 'aaaaaaaa:' }).waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);

    const visitor = await visit(browser);
    visitors.push(visitor);
    const sent: string[] = [];
    await visitor.page.goto(`${product.origin}/verify`);
    await visitor.page.getByLabel('Drop files here, or choose them').waitFor();
    visitor.page.on('request', (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).search}${request.postData() ?? ''}`),
    );
    const drop = async (name: string, text: string, verdict: string) => {
      const dataTransfer = await visitor.page.evaluateHandle(
        (file) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File([file.text], file.name));
          return dropped;
        },
        { name, text },
      );
      await visitor.page.dispatchEvent('body', 'drop', { dataTransfer });
      await visitor.page
        .getByRole('heading', { level: 2, name: `${verdict}: ${name}`, exact: true })
        .waitFor();
    };
    await drop('receipt.json', receipt, 'Valid');
    await visitor.page.getByText(`signed exactly commit ${target.head}`).waitFor();
    await drop('release.json', bundle, 'Valid');
    await drop('log.json', log, 'Valid');
    const changed = JSON.parse(receipt);
    changed.signatures[0].sig = `${changed.signatures[0].sig[0] === 'A' ? 'B' : 'A'}${changed.signatures[0].sig.slice(1)}`;
    await drop('changed.json', JSON.stringify(changed), 'Not valid');
    expect(await accessibilityFaults(visitor.page, 'all')).toEqual([]);
    expect(new Set(sent)).toEqual(new Set(['GET ']));
    expect([...faults, ...visitor.faults]).toEqual([]);
  });

  it('has a webhook that its owner sets, tests and removes, and whose secret is shown once', async () => {
    const { page, faults } = await at('octocat', of('/org/hooks'));
    // On a phone, the navigation scrolls sideways: the current page is in sight.
    await page.setViewportSize({ width: 375, height: 640 });
    const current = page.getByRole('navigation', { name: 'Organization' }).locator('[aria-current]');
    await until('the current page in the navigation', async () => {
      const place = await current.boundingBox();
      return place !== null && place.x >= 0 && place.x + place.width <= 375;
    });
    const card = page.getByRole('region', { name: 'Webhook', exact: true });
    await card.getByLabel('URL').fill('https://otp-guard.invalid/the-path');
    await card.getByRole('button', { name: 'Set webhook' }).click();
    await card.getByText('Copy the secret now.').waitFor();
    // The card also names the host, as soon as it knows that the webhook is set.
    const secret = (await card.locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    await card.getByRole('button', { name: 'Done' }).click();
    await card.getByRole('button', { name: 'Test the webhook' }).click();
    await card.getByText('Not delivered: no answer').waitFor();
    await until('the first delivery to fail', async () => {
      await page.reload();
      await card.getByText('To otp-guard.invalid').waitFor();
      return (await card.getByText(/Failing since .* Next try: /).count()) === 1;
    });
    expect(await page.content()).not.toMatch(new RegExp(`the-path|${secret}`));
    await card.getByRole('button', { name: 'Remove the webhook' }).click();
    await card.getByText('Nothing more is sent to').waitFor();
    await card.getByRole('button', { name: 'Remove the webhook' }).click();
    await card.getByRole('button', { name: 'Set webhook' }).waitFor();
    const log = await at('mona', of('/org/log'));
    await entry(log.page, 'removed the outgoing webhook to otp-guard.invalid').waitFor();
    expect([...faults, ...log.faults]).toEqual([]);
  });

  it('has a log with filters that are kept in the address and limit what is saved, and whose entries lead to a commit', async () => {
    const { page, faults } = await at('octocat', of('/org/log'));
    await entry(page, 'octocat').first().waitFor();
    const all = await entries(page).count();
    await page.getByLabel('Person').pressSequentially('MON');
    await page.waitForURL((url) => url.searchParams.get('person') === 'MON');
    await until('the entries of mona alone', async () => (await entry(page, 'octocat').count()) === 0);
    expect(await page.getByLabel('Person').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel('Kind').selectOption({ label: 'Registered a passkey or security key' });
    await until('the one entry', async () => (await entries(page).count()) === 1);
    const registered = entry(page, 'registered the passkey “Phone of mona”');
    await registered.getByRole('link').first().focus();
    await page.keyboard.press('Tab');
    expect(await registered.locator('time').evaluate(isExact)).toBe(true);
    await page.getByText('1 matching entry').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Export entries (CSV)').click(),
    ]);
    const rows = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(rows.slice(1)).toEqual([expect.stringContaining('registered the passkey “Phone of mona”')]);

    await page.getByRole('link', { name: 'Clear filters' }).click();
    await until('every entry', async () => (await entries(page).count()) === all);

    await entry(page, 'mona')
      .getByRole('link', { name: /^approved hello #/ })
      .first()
      .click();
    await heading(page, 'Approvals of a commit').waitFor();
    await page.getByRole('main').getByRole('listitem').getByText('Signature valid').waitFor();
    expect(faults).toEqual([]);
  });

  it('lets an owner remove the lost passkey of a member, after a step-up with the owner’s own', async () => {
    await setRole(product, 'ghost', 'member');
    await setRole(product, 'hubot', 'admin');
    const ghost = await product.signIn('ghost');
    expect((await registerKey(product, ghost, { label: 'Lost in a lake' })).status).toBe(200);
    const all = of('/org/authenticators');
    const member = await at('ghost', '/authenticators');
    await member.page.getByText('Lost in a lake').waitFor();

    // An owner without an authenticator can't do the step-up.
    const owner = await at('hubot', all);
    const { page } = owner;
    const passkey = await owner.plugIn('internal');
    const startDeletion = async () => {
      await page.getByRole('link', { name: 'Lost in a lake' }).click();
      await page.getByText("This is ghost's passkey.").waitFor();
      await button(page, 'Delete Authenticator').click();
    };
    await startDeletion();
    await banner(page, 'Step-up authentication required but no authenticators exist.').waitFor();
    await button(page, 'Cancel').click();
    await page.goto(`${product.origin}${all}`);
    await page.getByRole('link', { name: 'Register New Authenticator' }).click();
    await button(page, 'Register passkey').click();
    await heading(page, 'Authenticators').waitFor();
    expect(await passkey.credentialCount()).toBe(1);

    await startDeletion();
    await page.getByText('If ghost has a confirmed e-mail address').waitFor();
    await cancelNextCeremony(page, 'get');
    await button(page, 'Confirm with passkey').click();
    await banner(page, 'Authentication was not completed').waitFor();
    expect((await listOf(product, ghost, 'webauthn')).length).toBe(1);
    await button(page, 'Confirm with passkey').click();
    await heading(page, 'Authenticators').waitFor();
    await page.getByRole('row').filter({ hasText: 'hubot' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'ghost' }).count()).toBe(0);
    await member.page.reload();
    await member.page.getByText("You don't have an authenticator yet.").waitFor();
    await page.goto(`${product.origin}${of('/org/log')}`);
    await entry(page, "deleted ghost's passkey “Lost in a lake”").waitFor();

    // The passkey was in a stolen laptop, and so was ghost's session.
    await page.goto(`${product.origin}${of('/org')}`);
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByText('More about ghost').click();
    await button(page, 'Sign out everywhere').click();
    await page.getByText('ghost stays signed in to GitHub').waitFor();
    await button(page, 'Confirm with passkey').click();
    await page.getByText('ghost is signed out of OTP Guard on every device.').waitFor();
    const { status } = await product.call('/personal-set-image', {}, ghost);
    expect(status).toBe(401);
    expect([...owner.faults, ...member.faults]).toEqual([]);
  });

  it('has a policy that an owner edits, tries and enforces, and the check of an open pull request follows', async () => {
    await setRole(product, 'mona', 'admin');
    const pull = await product.pendingPull('Judged by the policy');
    await approveByKey(product, mona, monasKey, pull);
    const shown = async () =>
      (await product.runs(pull.head.sha)).toSorted((one, other) => other.id - one.id)[0]?.status;
    expect(await shown()).toBe('completed');

    const owner = await at('mona', of('/org'));
    const { page } = owner;
    await owner.plugIn('internal', monasKey);
    await page.getByRole('link', { name: 'Policy' }).click();
    await page
      .getByText('Every pull request and every deployment needs 1 approval from any member.')
      .waitFor();
    await button(page, 'Change policy').click();
    await button(page, 'Add rule').click();
    await page.getByLabel('Name', { exact: true }).fill('Two of us');
    await page.getByText('Repositories, branches, files, authors and agents').click();
    await page.getByLabel('Base branches').fill('main');
    await page.getByLabel('Approvals').selectOption('2');
    await page.getByText('need 2 approvals').first().waitFor();
    expect(await accessibilityFaults(page, 'all')).toEqual([]);

    const outcomes = page.getByText(new RegExp(`hello #${pull.number} (passes|waits)\\.`));
    const attempt = async () => {
      await button(page, 'Try it').click();
      await until('both outcomes', async () => (await outcomes.count()) === 2);
      return (await outcomes.allTextContents()).map((text) => text.split(' ').at(-1));
    };
    await button(page, 'Choose a pull request').click();
    await page.getByLabel('Pull request', { exact: true }).fill(pull.html_url);
    expect(await attempt()).toEqual(['passes.', 'passes.']);
    await page.getByLabel('Mode', { exact: true }).selectOption('enforced');
    await until('the other verdict', async () => (await attempt()).join() === 'passes.,waits.');

    const save = async (change: RegExp) => {
      await button(page, 'Review and save').click();
      await page.getByRole('listitem').getByText(change).waitFor();
      await button(page, 'Confirm with passkey').click();
      await page.getByText('Saved. Every open pull request is judged again now.').waitFor();
    };
    await save(/added the rule “Two of us”/);
    await until('the check to wait', async () => (await shown()) === 'in_progress');
    await page.goto(`${product.origin}${of('/org/log')}`);
    await entry(page, 'changed the policy: added the rule “Two of us”').waitFor();

    await page.goto(`${product.origin}${of('/org/policy')}`);
    await button(page, 'Change policy').click();
    await button(page, 'Remove Two of us').click();
    await save(/removed the rule “Two of us”/);
    await until('the check to pass', async () => (await shown()) === 'completed');
    await setRole(product, 'mona', 'member');
    expect(owner.faults).toEqual([]);
  });
});

/** Tells whether a time is shown as its exact one, and not as its age. */
const isExact = (time: HTMLElement) =>
  time.querySelector('span')?.checkVisibility() === false &&
  getComputedStyle(time, '::after').content === JSON.stringify(time.title);
