import { domainToUnicode } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownRecord } from '../support/account.ts';
import { orgOf, proofBy, registerKey } from '../support/authenticators.ts';
import {
  askForCode,
  CODE_SUBJECT,
  codeIn,
  confirm,
  type Mailbox,
  type MailRoute,
  mailboxOf,
  type Sent,
  sentCode,
  startMailRoute,
} from '../support/mailbox.ts';
import { type Answer, type Session, startTestProduct, type TestProduct } from '../support/product.ts';
import { type Behaviour, type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const MINUTE = 60_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SENTENCE = /^[A-Z][^\n<>{}]{5,200}\.$/;
const UNKNOWN = 'This code is no longer valid. Request a new one.';
const FAILED = "We couldn't send the e-mail. Nothing is lost: try again in a moment.";
const REFUSED = 'The mail server rejected this address. Check it, then try again.';

const sentence = ({ status, text }: Answer) => [status, text];

describe('an e-mail address', () => {
  let product: TestProduct;
  let route: MailRoute;
  let server: SmtpServer;
  let mailbox: Mailbox;
  let mona: Session;
  let octocat: Session;
  let hubot: Session;
  let ahead = 0;
  /** The time at which the product's clock stands still, if it does. */
  let stopped: number | undefined;
  let names = 0;
  const secrets = new Set<string>();

  beforeAll(async () => {
    [route, server] = await Promise.all([startMailRoute(), startSmtpServer()]);
    route.lead(server);
    mailbox = mailboxOf(server);
    product = await startTestProduct({
      clock: { now: () => new Date((stopped ?? Date.now()) + ahead) },
      env: { SMTP_URL: route.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
      waits: { sendEveryMs: 25 },
      crowd: 1,
    });
    [mona, octocat, hubot] = await Promise.all([
      product.signIn('mona'),
      product.signIn('octocat'),
      product.signIn('hubot'),
    ]);
  });

  afterAll(async () => {
    await product?.stop();
    await route?.close();
    await server?.close();
  });

  // Each test has an hour of its own.
  beforeEach(() => {
    ahead += 61 * MINUTE;
  });

  /** An address that no test has used. */
  const fresh = () => {
    names += 1;
    return noted(`person-${names}@inbox.example`);
  };
  const noted = (text: string) => {
    secrets.add(text);
    return text;
  };
  const codeFor = async (session: Session, email = fresh()): Promise<Sent> => {
    const sent = await sentCode(product, session, mailbox, email);
    secrets.add(sent.code).add(sent.sig).add(email);
    return sent;
  };
  /** How many codes were sent. Notices are sent at any time, so they don't count. */
  const codesSent = () => server.messages.filter(({ parsed }) => parsed.subject === CODE_SUBJECT).length;
  /** The recipients of all messages, except the addresses that notices go to. */
  const strangers = () => server.recipients.filter((to) => !to.startsWith('person-'));
  const emailOf = async (session: Session) => (await ownRecord(product, session)).email;

  it('is confirmed with the code that was sent to it, and then appears in the person’s own record', async () => {
    const email = fresh();
    expect(await emailOf(mona)).toBe('');
    const answer = await askForCode(product, mona, email);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ts: expect.any(Number),
      sig: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const mail = await mailbox.take(email, CODE_SUBJECT);
    expect(mail.envelope).toEqual({ from: 'OTP-Guard@inbox.example', to: [email] });
    expect(mail.parsed.text).toContain(
      'Enter it to confirm this address for mona at OTP Guard. It expires in 10 minutes.',
    );
    const code = noted(codeIn(mail));
    const { ts, sig } = answer.json<{ ts: number; sig: string }>();
    noted(sig);
    expect(sig).not.toContain(code);
    expect(await emailOf(mona)).toBe('');
    const confirmed = await confirm(product, mona, { email, ts, sig, code });
    expect(sentence(confirmed)).toEqual([200, 'ok']);
    expect(confirmed.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await emailOf(mona)).toBe(email);
    expect(await emailOf(octocat)).toBe('');
  });

  it('can also be confirmed by forms', async () => {
    const email = fresh();
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
    const asked = await product.call('/github-precheck-email', form({ email }), mona, FORM);
    expect(asked.status).toBe(200);
    const { ts, sig } = asked.json<{ ts: number; sig: string }>();
    const code = codeIn(await mailbox.take(email, CODE_SUBJECT));
    const fields = form({ email, ts: String(ts), sig: noted(sig), code: noted(code) });
    expect(sentence(await product.call('/github-confirm-email', fields, mona, FORM))).toEqual([200, 'ok']);
    expect(await emailOf(mona)).toBe(email);
  });

  it('gets no code and is not confirmed without a session', async () => {
    const before = codesSent();
    const sent = await codeFor(mona);
    for (const token of [undefined, '', 'Bearer', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA', sent.sig]) {
      const session = token === undefined ? {} : { token };
      expect(sentence(await askForCode(product, session, fresh()))).toEqual([401, 'missing auth token']);
      expect(sentence(await confirm(product, session, sent))).toEqual([401, 'missing auth token']);
    }
    expect(codesSent()).toBe(before + 1);
    expect(sentence(await confirm(product, mona, sent))).toEqual([200, 'ok']);
  });

  it('is not confirmed if a field is malformed', async () => {
    const NEW_CODE = 'This page is too old. Request a new code.';
    const SIX_DIGITS = 'Enter the 6 digits from the e-mail.';
    for (const [change, text] of [
      [{ email: '' }, 'Enter an e-mail address, such as mona@example.org.'],
      [{ ts: 'soon' }, NEW_CODE],
      [{ ts: 0 }, NEW_CODE],
      [{ sig: 'short' }, NEW_CODE],
      [{ sig: ['A'.repeat(43)] }, NEW_CODE],
      [{ sig: '" || 1=1 || sig="aaaaaaaaaaaaaaaaaaaaaaaaaaa' }, NEW_CODE],
      [{ code: '12345' }, SIX_DIGITS],
      [{ code: '1234567' }, SIX_DIGITS],
      [{ code: '１２３４５６' }, SIX_DIGITS],
      [{ code: 123456 }, SIX_DIGITS],
      [{ code: ['123456', '654321'] }, SIX_DIGITS],
    ] as const) {
      const sent = { email: 'x@inbox.example', ts: 1, sig: 'A'.repeat(43), code: '123456', ...change };
      const answer = await confirm(product, mona, sent);
      expect([change, ...sentence(answer)]).toEqual([change, 400, text]);
    }
  });

  it('has a code that expires after ten minutes', async () => {
    // However long the e-mails take.
    stopped = Date.now();
    const [early, late] = [await codeFor(mona), await codeFor(mona)];
    ahead += 10 * MINUTE - 1;
    expect(sentence(await confirm(product, mona, early))).toEqual([200, 'ok']);
    ahead += 1;
    expect(sentence(await confirm(product, mona, late))).toEqual([403, UNKNOWN]);
    expect(await emailOf(mona)).toBe(early.email);
    stopped = undefined;
  });

  it('gets no more than three codes an hour even if its domain is spelled differently', async () => {
    const people = [mona, octocat, hubot];
    for (const [domain, other] of [
      ['bücher.example', 'xn--bcher-kva.example'],
      ['shop.example', 'ｓhop.example'],
      ['b\u00e4cker.example', 'ba\u0308cker.example'],
    ]) {
      ahead += 61 * MINUTE;
      const before = codesSent();
      for (const session of people)
        expect([domain, (await askForCode(product, session, `one@${domain}`)).status]).toEqual([domain, 200]);
      for (const session of people)
        expect([other, (await askForCode(product, session, `one@${other}`)).status]).toEqual([other, 429]);
      expect(codesSent()).toBe(before + 3);
    }
  });

  it('is refused, and nothing is sent, if it is not one plain address', async () => {
    const before = strangers();
    for (const email of [
      'a@inbox.example\r\nBcc: b@inbox.example',
      'Bcc: b@inbox.example\r\na@inbox.example',
      'a@inbox.example>\r\nRCPT TO:<b@inbox.example',
      'a@inbox.example\0b@inbox.example',
      'a@inbox.example,b@inbox.example',
      'Mona <a@inbox.example>',
      `${'a'.repeat(30_000)}@inbox.example`,
      '',
    ]) {
      const answer = await askForCode(product, mona, email);
      expect([email, answer.status]).toEqual([email, 400]);
      expect(answer.text).toMatch(SENTENCE);
      const body = new URLSearchParams({ email }).toString();
      expect((await product.call('/github-precheck-email', body, mona, FORM)).status).toBe(400);
    }
    for (const email of [['a@inbox.example', 'b@inbox.example'], { address: 'a@inbox.example' }, null])
      expect((await askForCode(product, mona, email)).status).toBe(400);
    expect(strangers()).toEqual(before);
  });

  it('loses the white space around it, and gets one message', async () => {
    const email = fresh();
    expect((await askForCode(product, mona, ` \t${email}\r\n`)).status).toBe(200);
    const { envelope, raw } = await mailbox.take(email, CODE_SUBJECT);
    expect(envelope.to).toEqual([email]);
    expect(raw.split('\r\n').filter((line) => /^to:/i.test(line))).toEqual([`To: ${email}`]);
  });

  it('can have 250 characters', async () => {
    const domain = ['b', 'c', 'd'].map((letter) => letter.repeat(58)).join('.');
    const email = noted(`${'a'.repeat(64)}@${domain}1.example`);
    expect(email).toHaveLength(250);
    expect(sentence(await confirm(product, mona, await codeFor(mona, email)))).toEqual([200, 'ok']);
    expect(await emailOf(mona)).toBe(email);
    await mailbox.take(email, 'This address is confirmed');
  });

  it('can have a domain in any script', async () => {
    const email = noted('mona@bücher-und-鍵.example');
    const sent = await codeFor(mona, email);
    const [, domain] = /^RCPT TO:<mona@(xn--bcher-und--[a-z0-9]+\.example)>\r$/m.exec(server.wire()) ?? [];
    expect(domainToUnicode(domain ?? '')).toBe('bücher-und-鍵.example');
    expect(sentence(await confirm(product, mona, sent))).toEqual([200, 'ok']);
    expect(await emailOf(mona)).toBe(email);
  });

  it.each<[string, Behaviour | null]>([
    ['is down', null],
    ['greylists the recipient', 'later'],
    ['requires a sign-in', 'ask for sign-in'],
    ['hangs up', 'cut'],
  ])('does not change if the mail server %s, and the slots are released', async (_name, behaviour) => {
    const kept = await codeFor(mona);
    expect(sentence(await confirm(product, mona, kept))).toEqual([200, 'ok']);
    ahead += 61 * MINUTE;
    const email = fresh();
    const broken = behaviour && (await startSmtpServer(behaviour));
    route.lead(broken);
    try {
      const asked = Array.from({ length: 3 }, () => askForCode(product, mona, email));
      for (const answer of await Promise.all(asked)) expect(sentence(answer)).toEqual([502, FAILED]);
    } finally {
      route.lead(server);
      await broken?.close();
    }
    expect(await emailOf(mona)).toBe(kept.email);
    for (let round = 0; round < 3; round += 1) await codeFor(mona, email);
    expect((await askForCode(product, mona, email)).status).toBe(429);
  });

  it.each<[string, Behaviour]>([
    ['recipient', 'refuse recipient'],
    ['message', 'refuse data'],
  ])(
    'does not change if the mail server refuses the %s permanently, and the slot stays taken',
    async (_name, behaviour) => {
      const kept = await codeFor(octocat);
      expect(sentence(await confirm(product, octocat, kept))).toEqual([200, 'ok']);
      const broken = await startSmtpServer(behaviour);
      route.lead(broken);
      try {
        for (let round = 0; round < 3; round += 1)
          expect(sentence(await askForCode(product, mona, fresh()))).toEqual([400, REFUSED]);
        expect((await askForCode(product, mona, fresh())).status).toBe(429);
      } finally {
        route.lead(server);
        await broken.close();
      }
      expect(await emailOf(octocat)).toBe(kept.email);
    },
  );

  it('of the company lets one person in with a first authenticator, and no colleague with the same one', async () => {
    const key = (await registerKey(product, octocat)).key;
    const policy = { version: 1, enrolment: { mode: 'email', domains: ['inbox.example'] } };
    const stepUp = await proofBy(product, octocat, key, { type: 'change-policy', policy });
    const change = { ...orgOf(product), policy, stepUp, accessToken: octocat.accessToken };
    expect((await product.call('/github-set-policy', change, octocat)).status).toBe(200);
    const { orgID } = orgOf(product);
    const newcomer = await product.signIn('member-0001');
    const enrol = async (session: Session, email: string) => {
      const asked = await product.call('/github-precheck-email', { email, orgID }, session);
      if (asked.status !== 200) return asked;
      const code = noted(codeIn(await mailbox.take(email, CODE_SUBJECT)));
      return registerKey(product, session, { emailCode: { email, code, ...asked.json<object>() } });
    };
    expect(sentence(await registerKey(product, mona))).toEqual([
      403,
      'Confirm a company address first: this organization asks for one.',
    ]);
    expect(sentence(await enrol(mona, 'mona@mail.inbox.example'))).toEqual([
      403,
      "Use your address at one of the organization's own domains.",
    ]);
    const address = noted('mona.lisa@inbox.example');
    expect((await enrol(mona, address)).status).toBe(200);
    expect(sentence(await enrol(newcomer, noted('mona.lisa+2@inbox.example')))).toEqual([
      409,
      'Somebody else enrolled with this address here. Use your own.',
    ]);
    const listed = await product.call('/organization-members', { orgID, state: 'one' }, octocat);
    const { members } = listed.json<{ members: object[] }>();
    expect(members).toContainEqual(expect.objectContaining({ login: 'mona', address, authenticators: 1 }));
    // It isn't the address for notices.
    expect(await emailOf(mona)).not.toBe(address);
  });

  it('is never logged, and neither are codes and signatures', () => {
    expect(secrets.size).toBeGreaterThan(30);
    // A number, such as the id of a process, can look like a code.
    const isText = (_name: string, value: unknown) => (typeof value === 'number' ? undefined : value);
    const log = product.log.map((line) => JSON.stringify(JSON.parse(line), isText)).join('\n');
    const found = [...secrets].filter((secret) =>
      new RegExp(`(?<![\\w.-])${secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`).test(log),
    );
    expect(found).toEqual([]);
    expect(log).not.toMatch(/inbox\.example/i);
  });
});

describe('an e-mail address without a configured mail server', () => {
  it('cannot be confirmed, and the other refusals stay the same', async () => {
    const product = await startTestProduct();
    try {
      const mona = await product.signIn('mona');
      const answer = await askForCode(product, mona, 'mona@inbox.example');
      expect(sentence(answer)).toEqual([503, "This server doesn't send e-mail. Its operator can set it up."]);
      expect((await askForCode(product, mona, 'no address')).status).toBe(400);
      expect((await askForCode(product, {}, 'mona@inbox.example')).status).toBe(401);
      const sent = { email: 'mona@inbox.example', ts: 1, sig: 'A'.repeat(43), code: '123456' };
      expect(sentence(await confirm(product, mona, sent))).toEqual([403, UNKNOWN]);
      expect((await ownRecord(product, mona)).email).toBe('');
    } finally {
      await product.stop();
    }
  });
});
