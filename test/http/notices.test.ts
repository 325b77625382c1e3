import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HookChangeAnswer, HooksAnswer } from '../../src/contract/hooks.ts';
import { parseCheckpoint } from '../../src/proofs/checkpoint.ts';
import { listed } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp, listOf, proofBy, registerCodes, registerKey } from '../support/authenticators.ts';
import {
  confirmAddress,
  type Mailbox,
  type MailRoute,
  mailboxOf,
  startMailRoute,
} from '../support/mailbox.ts';
import { type Session, startTestProduct, type TestProduct, targetOf, until } from '../support/product.ts';
import { type Received, type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const MINUTE = 60_000;
const NOT_YOU = 'If this wasn’t you, someone may be using your GitHub account';
const PNG = '89504e470d0a1a0a';
const IMAGE = {
  name: 'abcDEF123ghiJKL456mn',
  colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'],
  variant: 'beam',
};

const textOf = ({ parsed }: Received) => (parsed.text ?? '').replace(/\s+/g, ' ');

describe('a notice', () => {
  let product: TestProduct;
  let route: MailRoute;
  let server: SmtpServer;
  let mailbox: Mailbox;
  let mona: Session;
  let octocat: Session;
  let octocatsKey: SoftwareAuthenticator;
  let monasKey: SoftwareAuthenticator;
  let ahead = 0;
  const app = new CodeApp();
  const to = (session: Session) => `${session.login}@inbox.example`;
  const now = () => Date.now() + ahead;

  beforeAll(async () => {
    [route, server] = await Promise.all([startMailRoute(), startSmtpServer()]);
    route.lead(server);
    mailbox = mailboxOf(server);
    product = await startTestProduct({
      clock: { now: () => new Date(now()) },
      env: { SMTP_URL: route.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
      waits: { sendEveryMs: 25, deliverEveryMs: 25, hookMs: 250 },
    });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    for (const session of [mona, octocat]) {
      await confirmAddress(product, session, mailbox, to(session));
      await mailbox.take(to(session), 'This address is confirmed');
    }
  });

  afterAll(async () => {
    await product?.stop();
    await route?.close();
    await server?.close();
  });

  // Each test has an hour and one-time codes of its own.
  beforeEach(() => {
    route.lead(server);
    ahead += 61 * MINUTE;
  });

  const keyOf = async (session: Session, label: string) =>
    String((await listOf(product, session, 'webauthn')).find((record) => record.label === label)?.id);
  const deletion = (authenticatorID: string) => ({ type: 'delete-authenticator', authenticatorID }) as const;
  const firstAt = async (session: Session, label: string) => {
    const { status, key } = await registerKey(product, session, { label });
    expect(status).toBe(200);
    return key;
  };

  it('goes to a person who added an authenticator, and to the owners if it is the first', async () => {
    octocatsKey = await firstAt(octocat, 'Of octocat');
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
    const forOwner = await mailbox.take(to(octocat), 'A member registered a first authenticator');
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
    const set = await product.call('/personal-set-image', { orgID: 0, image: IMAGE }, mona);
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
    // Only the person gets a notice of a further one.
    const other = await proofBy(product, octocat, octocatsKey, { type: 'register-authenticator' });
    expect((await registerKey(product, octocat, { label: 'Other', stepUp: other })).status).toBe(200);
    const without = await mailbox.take(to(octocat), 'An authenticator was added');
    expect(without.parsed.attachments).toEqual([]);
    expect(mailbox.left()).toEqual([]);
  });

  it('names an authenticator app without its label, and comes once for every five wrong codes', async () => {
    const stepUp = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    expect((await registerCodes(product, mona, { app, code: app.codeAt(now()), stepUp })).status).toBe(200);
    const added = await mailbox.take(to(mona), 'An authenticator was added');
    expect(textOf(added)).toContain('The authenticator app was added to your account, mona, in octo-org.');
    ahead += 3 * MINUTE;
    const pull = await product.pendingPull();
    const wrong = () =>
      product.call(
        '/github-totp-check',
        { ...targetOf(product, pull), otp: app.wrongCodeAt(now()), accessToken: mona.accessToken },
        mona,
      );
    for (let round = 1; round <= 5; round += 1) expect((await wrong()).status).toBe(403);
    for (let round = 1; round <= 3; round += 1) expect((await wrong()).status).toBe(429);
    const mail = await mailbox.take(to(mona), 'Wrong one-time codes were entered');
    expect(textOf(mail)).toContain(
      'were entered for your account, mona, in octo-org. One-time codes are locked for a while.',
    );
    expect(textOf(mail)).toContain(NOT_YOU);
    expect(mail.parsed.attachments).toHaveLength(1);
    ahead += 6 * MINUTE;
    for (let round = 1; round <= 5; round += 1) {
      expect((await wrong()).status).toBe(403);
      ahead += 25 * MINUTE;
    }
    await mailbox.take(to(mona), 'Wrong one-time codes were entered');
    expect(mailbox.left()).toEqual([]);
  });

  it('goes to a person who removed an authenticator', async () => {
    const id = await keyOf(mona, 'Second');
    const proof = await proofBy(product, mona, monasKey, deletion(id));
    expect((await product.remove('webauthn', id, mona, proof)).status).toBe(204);
    const mail = await mailbox.take(to(mona), 'An authenticator was removed');
    expect(textOf(mail)).toContain(
      'The security key “Second” was removed from your account, mona, in octo-org.',
    );
    expect(textOf(mail)).toContain(NOT_YOU);
    expect(mailbox.left()).toEqual([]);
  });

  it('goes to the member and the owner if an owner removed the authenticator', async () => {
    const [codes] = await listOf(product, mona, 'totps');
    const id = String(codes?.id);
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('totps', id, octocat, proof)).status).toBe(204);
    const [forMember, forOwner] = await Promise.all([
      mailbox.take(to(mona), 'An owner removed your authenticator'),
      mailbox.take(to(octocat), 'You removed a member’s authenticator'),
    ]);
    expect(textOf(forMember)).toContain(
      'octocat, an owner of octo-org, removed the authenticator app from your account, mona.',
    );
    expect(forMember.parsed.attachments).toHaveLength(1);
    expect(textOf(forOwner)).toContain('You removed the authenticator app of mona in octo-org.');
    expect(mailbox.left()).toEqual([]);
  });

  it('goes to the new address and to the previous one if a person changes it', async () => {
    await confirmAddress(product, octocat, mailbox, 'other-octocat@inbox.example');
    const [forNew, forOld] = await Promise.all([
      mailbox.take('other-octocat@inbox.example', 'This address is confirmed'),
      mailbox.take(to(octocat), 'Your e-mail address was changed'),
    ]);
    expect(textOf(forNew)).toContain('From now on, octocat,');
    expect(textOf(forOld)).toContain('octocat now has another e-mail address in OTP Guard.');
    expect(textOf(forOld)).toContain(NOT_YOU);
    expect(textOf(forOld)).not.toContain('other-octocat');
    ahead += 61 * MINUTE;
    await confirmAddress(product, octocat, mailbox, to(octocat));
    await mailbox.take(to(octocat), 'This address is confirmed');
    await mailbox.take('other-octocat@inbox.example', 'Your e-mail address was changed');
    expect(mailbox.left()).toEqual([]);
  });

  it('is sent later if the mail server was down, and does not delay the registration', async () => {
    route.lead(null);
    const before = product.log.length;
    const stepUp = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    expect((await registerKey(product, mona, { label: 'While down', stepUp })).status).toBe(200);
    const line = await until('a line of the log', async () =>
      product.log.slice(before).find((text) => text.includes('could not send a notice')),
    );
    expect(JSON.parse(line)).toMatchObject({ kind: 'authenticatorAdded', tries: 0 });
    expect(line).not.toContain('inbox.example');
    route.lead(server);
    ahead += 1.1 * MINUTE;
    expect(textOf(await mailbox.take(to(mona), 'An authenticator was added'))).toContain('“While down”');
    expect(mailbox.left()).toEqual([]);
  });

  it('is dropped if the mail server refuses it permanently, and delays no other', async () => {
    const refusing = await startSmtpServer('refuse recipient');
    route.lead(refusing);
    const stepUp = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    expect((await registerKey(product, mona, { label: 'Refused', stepUp })).status).toBe(200);
    await until('the refusal', async () => refusing.recipients.includes(to(mona)));
    await until('the line of the log', async () =>
      product.log.some((text) => text.includes('could not send a notice') && text.includes('MailRefused')),
    );
    route.lead(server);
    await refusing.close();
    ahead += 10 * MINUTE;
    const id = await keyOf(mona, 'Refused');
    const proof = await proofBy(product, mona, monasKey, deletion(id));
    expect((await product.remove('webauthn', id, mona, proof)).status).toBe(204);
    expect(textOf(await mailbox.take(to(mona), 'An authenticator was removed'))).toContain('“Refused”');
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
    const mail = await mailbox.take(to(mona), 'A pull request waits for you');
    expect(textOf(mail)).toContain(`octo-org/hello#${first}: “Look`);
    expect(textOf(mail)).toContain('Somebody requested your review on GitHub.');
    expect(mail.parsed.html).toContain(`href="${product.origin}/collect?`);
    expect(mail.parsed.html).not.toContain('evil.example');
    await change(first, 'DELETE');
    await change(first);
    // It was used up: the next e-mail is about another pull request alone.
    await asked('Another one');
    const next = textOf(await mailbox.take(to(mona), 'A pull request waits for you'));
    expect([next.includes('“Another one”'), next.includes('“Look')]).toEqual([true, false]);
    expect(await choose('off')).toMatchObject({ choice: 'off' });
    expect(mailbox.left()).toEqual([]);
  });

  it('goes to the owners if one of them sets, replaces or removes an outgoing webhook', async () => {
    const PATH = 'the-path-is-a-secret';
    const { org, orgID } = product.github.facts;
    const post = (path: string, more: object = {}, by: Partial<Session> = octocat) =>
      product.call(path, { org, orgID, kind: 'webhook', accessToken: by.accessToken, ...more }, by);
    const state = async () => (await post('/organization-hooks')).json<HooksAnswer>().hooks[0];
    const url = `https://otp-guard.invalid/${PATH}`;
    const refusals = [
      await post('/set-hook', { url }, mona),
      await post('/organization-hooks', {}, mona),
      await post('/test-hook', {}, mona),
      await post('/set-hook', { url, accessToken: mona.accessToken }),
      await post('/set-hook', { url: `https://127.0.0.1/${PATH}` }),
      await post('/set-hook', { url: `http://otp-guard.invalid/${PATH}` }),
      await post('/test-hook'),
      await post('/remove-hook'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 400, 404, 404]);
    const { secret } = (await post('/set-hook', { url })).json<HookChangeAnswer>();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(textOf(await mailbox.take(to(octocat), 'An outgoing webhook was set'))).toContain(
      'octocat, an owner of octo-org, set its webhook to otp-guard.invalid.',
    );
    // Its own entry is the first that it gets.
    const failing = await until('the first delivery', async () => (await state())?.last && (await state()));
    expect(failing).toMatchObject({ stopped: false, last: { outcome: { result: 'unreachable' } } });
    expect(Date.parse(failing?.nextTry ?? '')).toBeGreaterThan(now());
    const tests = await Promise.all([post('/test-hook'), post('/test-hook'), post('/test-hook')]);
    // Three at once are in two periods of ten seconds at most.
    expect(new Set(tests.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const replaced = await post('/set-hook', { url: `${url}/2` });
    expect(replaced.json<HookChangeAnswer>().secret).not.toBe(secret);
    await mailbox.take(to(octocat), 'An outgoing webhook was set');
    expect([(await post('/remove-hook')).status, await state()]).toEqual([200, undefined]);
    await mailbox.take(to(octocat), 'An outgoing webhook was removed');
    const { items } = await listed(product, mona, 'gh_activities', 'perPage=3&sort=-created');
    expect(items.map(({ activity, data }) => [activity, data])).toEqual(
      ['hookRemove', 'hookSet', 'hookSet'].map((activity) => [
        activity,
        { login: 'octocat', org: 'octo-org', hook: 'webhook', host: 'otp-guard.invalid' },
      ]),
    );
    const files = readdirSync(product.dataDir, { recursive: true, withFileTypes: true });
    const read = ({ parentPath, name }: Dirent) => readFileSync(join(parentPath, name), 'latin1');
    const stored = files.filter((file) => file.isFile()).map(read);
    const everything = [product.log, stored, refusals, failing].map((part) => JSON.stringify(part)).join();
    for (const hidden of [PATH, secret ?? '']) expect(everything.includes(hidden)).toBe(false);
    expect(mailbox.left()).toEqual([]);
  });

  it('is not sent to a person without a confirmed address', async () => {
    const hubot = await product.signIn('hubot');
    const { otherOrg, otherOrgID } = product.github.facts;
    const org = { org: otherOrg, orgID: otherOrgID };
    expect((await registerKey(product, hubot, { label: 'Of hubot', ...org })).status).toBe(200);
    // octocat owns that organization too.
    const forOwner = await mailbox.take(to(octocat), 'A member registered a first authenticator');
    expect(textOf(forOwner)).toContain(
      'hubot registered a first authenticator in other-org: the passkey “Of hubot”.',
    );
    expect(server.recipients.filter((address) => address.includes('hubot'))).toEqual([]);
    expect(mailbox.left()).toEqual([]);
  });
});
