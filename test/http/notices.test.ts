import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OutgoingWebhookChangeAnswer } from '../../src/contract/outgoing-webhooks.ts';
import { parseCheckpoint } from '../../src/proofs/checkpoint.ts';
import { listed, proofBy, registerKey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { anImage } from '../support/fakes/examples.ts';
import { CODE_SUBJECT, codeIn, confirmAddress, type Mailbox, mailboxOf } from '../support/mailbox.ts';
import { type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';
import { type Received, type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const MINUTE = 60_000;
const NOT_YOU = 'If this wasn’t you, someone may be using your GitHub account';
const PNG = '89504e470d0a1a0a';

const textOf = ({ parsed }: Received) => (parsed.text ?? '').replace(/\s+/g, ' ');

let product: TestProduct;
let server: SmtpServer;
let mailbox: Mailbox;
let mona: Session;
let octocat: Session;
let monasKey: SoftwareAuthenticator;
let ahead = 0;
const to = (session: Session) => `${session.login}@inbox.example`;
const now = () => Date.now() + ahead;

beforeAll(async () => {
  server = await startSmtpServer();
  mailbox = mailboxOf(server);
  product = await startTestProduct({
    crowd: 1,
    clock: { now: () => new Date(now()) },
    env: { SMTP_URL: server.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
    waits: { sendEveryMs: 100 },
  });
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  for (const session of [mona, octocat]) {
    await confirmAddress(product, session, mailbox, to(session));
    await mailbox.take(to(session), 'This address is confirmed');
  }
});

afterAll(async () => {
  await product?.stop();
  await server?.close();
});

// Each test has an hour and one-time codes of its own.
beforeEach(() => {
  server.become('take');
  ahead += 61 * MINUTE;
});

const firstAt = async (session: Session, label: string) => {
  const { status, key } = await registerKey(product, session, { label });
  expect(status).toBe(200);
  return key;
};

describe('a notice', () => {
  it('goes to a person who added an authenticator, and to the owners if it is the first', async () => {
    await firstAt(octocat, 'Of octocat');
    const forOctocat = await mailbox.take(to(octocat), 'An authenticator was added');
    expect(textOf(forOctocat)).toContain(
      'passkey “Of octocat” was added to your account, octocat, in octo-org.',
    );
    monasKey = await firstAt(mona, '鍵 <b>Ü</b> & "q"');
    const mail = await mailbox.take(to(mona), 'An authenticator was added');
    expect(textOf(mail)).toContain(
      'The passkey “鍵 <b>Ü</b> & "q"” was added to your account, mona, in octo-org.',
    );
    expect(textOf(mail)).toContain(NOT_YOU);
    expect(mail.parsed.html).toContain('passkey “鍵 &lt;b&gt;Ü&lt;/b&gt; &amp; &quot;q&quot;”');
    expect(mail.parsed.html).not.toContain('<b>');
    expect(mail.parsed.attachments).toEqual([]);
    const forOwner = await mailbox.take(to(octocat), 'mona registered a first authenticator in octo-org');
    expect(textOf(forOwner)).toContain(
      'mona registered a first authenticator in octo-org: the passkey “鍵 <b>Ü</b> & "q"”',
    );
    const note = /^localhost(:\d+)?\/log\/\d+\n\d+\n\S+=\n\n— localhost(:\d+)?\/log\/\d+ \S+\n*$/m;
    expect(forOwner.parsed.text).toMatch(/Keep this signed checkpoint of octo-org’s log\. .*:\n\n/);
    expect(parseCheckpoint(note.exec(forOwner.parsed.text ?? '')?.[0] ?? '')).not.toBeNull();
    expect(mail.parsed.text).not.toContain('/log/');
    // There was no other owner to notify when octocat registered.
    expect(mailbox.left()).toEqual([]);
  });

  it('carries the person’s own security image once there is one', async () => {
    const set = await product.call('/personal-set-image', { orgID: 0, image: anImage() }, mona);
    expect(set.status).toBe(200);
    const stepUp = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    expect((await registerKey(product, mona, { label: 'Second', type: 'security-key', stepUp })).status).toBe(
      200,
    );
    const mail = await mailbox.take(to(mona), 'An authenticator was added');
    expect(textOf(mail)).toContain('security key “Second”');
    const [image, ...others] = mail.parsed.attachments;
    expect(others).toEqual([]);
    expect(image).toMatchObject({ mimeType: 'image/png', disposition: 'inline', related: true });
    expect(Buffer.from(image?.content as ArrayBuffer).toString('hex', 0, 8)).toBe(PNG);
    expect(mail.parsed.html).toContain(`cid:${image?.contentId?.replace(/^<|>$/g, '')}`);
    // Owners get no notice of a further one.
    expect(mailbox.left()).toEqual([]);
  });

  it('is sent later if the mail server failed, and does not delay the registration', async () => {
    server.become('cut');
    const before = product.log.length;
    const stepUp = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    expect((await registerKey(product, mona, { label: 'While down', stepUp })).status).toBe(200);
    const line = await until('a line of the log', async () =>
      product.log.slice(before).find((text) => text.includes('could not send a notice')),
    );
    expect(JSON.parse(line)).toMatchObject({ kind: 'authenticatorAdded', tries: 0 });
    expect(line).not.toContain('inbox.example');
    server.become('take');
    ahead += 1.1 * MINUTE;
    expect(textOf(await mailbox.take(to(mona), 'An authenticator was added'))).toContain('“While down”');
    expect(mailbox.left()).toEqual([]);
  });

  it('is about a pull request that waits for a person who chose that, once for its head', async () => {
    const choose = async (choice?: string) =>
      (await product.call('/notice-choice', { choice }, mona)).json<object>();
    expect(await choose()).toEqual({ choice: 'off', hasAddress: true });
    expect(await choose('at-once')).toEqual({ choice: 'at-once', hasAddress: true });
    const change = (number: number, method = 'POST') =>
      product.asAdmin(method, `/repos/octo-org/hello/pulls/${number}/requested_reviewers`, {
        reviewers: ['mona'],
      });
    const asked = async (title: string) => {
      const { number } = await product.pendingPull(title);
      await change(number);
      return number;
    };
    const first = await asked('Look https://evil.example/x');
    const mail = await mailbox.take(to(mona), `octo-org/hello#${first} is waiting for your approval`);
    expect(textOf(mail)).toContain(`octo-org/hello#${first} Look`);
    expect(textOf(mail)).toMatch(/by \S+ · 1 file Your review was requested on GitHub\./);
    expect(mail.parsed.html).toContain(`href="${product.origin}/collect?`);
    expect(mail.parsed.html).not.toContain('evil.example');
    await change(first, 'DELETE');
    await change(first);
    // It was used up: the next e-mail is about another pull request alone.
    const second = await asked('Another one');
    const next = await mailbox.take(to(mona), `octo-org/hello#${second} is waiting for your approval`);
    expect([textOf(next).includes('Another one'), textOf(next).includes('Look https')]).toEqual([
      true,
      false,
    ]);
    const header = next.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    const unsubscribe = header?.replace(/^<|>$/g, '') ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(unsubscribe)).status).toBe(200);
    expect(await choose()).toMatchObject({ choice: 'at-once' });
    expect((await fetch(unsubscribe, { method: 'POST', body })).status).toBe(200);
    expect(await choose()).toMatchObject({ choice: 'off' });
    expect(mailbox.left()).toEqual([]);
  });

  it('goes to the owners if one of them sets, replaces or removes an outgoing webhook', async () => {
    const { org, orgID } = product.github.facts;
    const post = (path: string, more: object = {}) =>
      product.call(path, { org, orgID, kind: 'webhook', accessToken: octocat.accessToken, ...more }, octocat);
    const secrets = new Set<unknown>();
    for (const url of ['https://otp-guard.invalid/1', 'https://otp-guard.invalid/2']) {
      secrets.add((await post('/set-hook', { url })).json<OutgoingWebhookChangeAnswer>().secret);
      expect(textOf(await mailbox.take(to(octocat), 'An outgoing webhook was set'))).toContain(
        'octocat, an owner of octo-org, set its webhook to otp-guard.invalid.',
      );
    }
    expect(secrets.size).toBe(2);
    expect((await post('/remove-hook')).status).toBe(200);
    await mailbox.take(to(octocat), 'An outgoing webhook was removed');
    const { items } = await listed(product, mona, 'gh_activities', 'perPage=3&sort=-created');
    const data = { login: 'octocat', org: 'octo-org', hook: 'webhook', host: 'otp-guard.invalid' };
    expect(items).toMatchObject(['hookRemove', 'hookSet', 'hookSet'].map((activity) => ({ activity, data })));
    expect(mailbox.left()).toEqual([]);
  });
});

it('an address and its code are never logged', () => {
  const codes = server.messages.filter(({ parsed }) => parsed.subject === CODE_SUBJECT).map(codeIn);
  expect(codes).toHaveLength(2);
  // A number, such as the id of a process, can look like a code.
  const isText = (_name: string, value: unknown) => (typeof value === 'number' ? undefined : value);
  const log = product.log.map((line) => JSON.stringify(JSON.parse(line), isText)).join('\n');
  const found = codes.filter((code) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(log));
  expect([found, /inbox\.example/i.test(log)]).toEqual([[], false]);
});
