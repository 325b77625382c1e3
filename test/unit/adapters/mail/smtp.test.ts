import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import { createSmtpMailer } from '../../../../src/adapters/mail/smtp.ts';
import { type MailMessage, MailRefused } from '../../../../src/notices/ports.ts';
import { type Behaviour, type SmtpServer, startSmtpServer } from '../../../support/smtp.ts';

const FROM = 'otp-guard@example.org';
const ORIGIN = 'https://guard.example.org';
const PASSWORD = 'c0rrect-h0rse';
/** Values that no error may contain. */
const SECRETS = new RegExp(`${PASSWORD}|${Buffer.from(PASSWORD).toString('base64')}|guard|mona|example`);

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function serve(...input: Parameters<typeof startSmtpServer>): Promise<SmtpServer> {
  const server = await startSmtpServer(...input);
  endings.push(() => server.close());
  return server;
}

const logged: string[] = [];
function mailerFor(url: string, { deadlineMs }: { deadlineMs?: number } = {}) {
  logged.length = 0;
  const log = { warn: (...line: unknown[]) => logged.push(JSON.stringify(line)) };
  const mailer = createSmtpMailer({ url, from: FROM, origin: ORIGIN, log: log as never, deadlineMs });
  endings.push(() => mailer.close());
  return mailer;
}

const message = (change: Partial<MailMessage> = {}): MailMessage => ({
  to: 'mona@example.org',
  subject: 'Your OTP Guard code',
  parts: [{ role: 'heading', text: '123456 is your code.' }, 'It expires in 10 minutes.'],
  org: 'octo-org',
  unsubscribeUrl: null,
  image: null,
  ...change,
});

const image = {
  name: 'abcDEF123ghiJKL456mn',
  colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'],
  variant: 'marble',
} as const;

/** The error that `send` rejects with. */
const failureOf = (sending: Promise<void>): Promise<Error> =>
  sending.then(
    () => new Error('it was sent'),
    (reason: Error) => reason,
  );

/** Everything that a log could print of an error. */
const allOf = (error: Error): string =>
  [
    ...Object.getOwnPropertyNames(error).map((name) => String(error[name as 'message'])),
    String(error.cause),
  ].join('\n');

/** The names of a message's headers. */
const headersOf = (raw: string) =>
  (raw.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .filter((line) => !/^\s/.test(line))
    .map((line) => line.split(':')[0]);

const HEADERS = [
  'Auto-Submitted',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
];

describe('a message', () => {
  it('goes to one recipient, with the headers of an automatic message and no others', async () => {
    const server = await serve();
    await mailerFor(server.url).send(message());
    const { envelope, parsed, raw } = await server.next();
    expect(envelope).toEqual({ from: FROM, to: ['mona@example.org'] });
    expect(parsed.from).toEqual({ name: '', address: FROM });
    expect(parsed.to).toEqual([{ name: '', address: 'mona@example.org' }]);
    expect(parsed.subject).toBe('Your OTP Guard code');
    expect(parsed.text?.trim()).toBe(
      '123456 is your code.\n\nIt expires in 10 minutes.\n\n-- \nOTP Guard for octo-org',
    );
    expect(parsed.html).toContain('<h1><bdi>123456 is your code.</bdi></h1>');
    expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(headersOf(raw).sort()).toEqual(HEADERS);
    expect(parsed.attachments).toEqual([]);
  });

  it('has a header by which mail programs unsubscribe with one click, if the person chose to get it', async () => {
    const server = await serve();
    const unsubscribeUrl = `${ORIGIN}/unsubscribe?person=mona&choice=daily&sig=x`;
    await mailerFor(server.url).send(message({ unsubscribeUrl }));
    const { parsed, raw } = await server.next();
    const headerOf = (name: string) => parsed.headers.find(({ key }) => key === name)?.value;
    expect(headerOf('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
    expect(headerOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headersOf(raw).sort()).toEqual([...HEADERS, 'List-Unsubscribe', 'List-Unsubscribe-Post'].sort());
  });

  it('is sent without an image that cannot be drawn', async () => {
    const server = await serve();
    await mailerFor(server.url).send(message({ image: { ...image, colors: null as never } }));
    const { parsed } = await server.next();
    expect(parsed.attachments).toEqual([]);
    expect(parsed.html).not.toContain('<img');
    expect(logged).toEqual([expect.stringContaining("can't draw a security image")]);
  });
});

describe('an address', () => {
  it.each([
    ["o'brien+otp@example.org", "o'brien+otp@example.org"],
    ['mona@bücher.example', 'mona@xn--bcher-kva.example'],
    ['a!#$%&*/=?^_`{|}~-b@example.org', 'a!#$%&*/=?^_`{|}~-b@example.org'],
  ])('%s reaches the mail server as %s', async (to, sent) => {
    const server = await serve();
    await mailerFor(server.url).send(message({ to }));
    expect((await server.next()).envelope.to).toHaveLength(1);
    expect(server.wire().match(/^RCPT.*$/gm)).toEqual([`RCPT TO:<${sent}>`]);
    expect(server.wire()).not.toContain('SMTPUTF8');
  });

  it('with non-ASCII letters before the @ is sent to a server that offers SMTPUTF8', async () => {
    const server = await serve();
    await mailerFor(server.url).send(message({ to: 'モナ@例え.テスト' }));
    expect((await server.next()).envelope.to).toEqual(['モナ@例え.テスト']);
    expect(server.wire()).toMatch(/^MAIL FROM:<.*> SMTPUTF8.*\r\nRCPT TO:<モナ@例え\.テスト>\r\n/m);
  });
});

/** Each tries for a second recipient, another recipient, or a header of its own. */
const INJECTIONS = [
  'mona@example.org\r\nBcc: eve@evil.example',
  'mona@example.org>\r\nRCPT TO:<eve@evil.example',
  'mona@example.org\0eve@evil.example',
  'mona@example.org嘍嘊Bcc: eve@evil.example',
  'mona@example.org,eve@evil.example',
  '"mona@example.org" <eve@evil.example>',
  '"mona@example.org>\r\nBcc: eve"@evil.example',
  'mona@evil.example@example.org',
  'friends:mona@example.org,eve@evil.example;',
  'mona@[127.0.0.1]',
  '=?utf-8?q?mona=40evil.example=3E?=@example.org>',
  'mona@example.org%0d%0aBcc:eve@evil.example',
  '',
];

describe('a recipient that is more than an address', () => {
  it('is refused before anything is sent to the server', async () => {
    const server = await serve();
    for (const to of INJECTIONS) {
      const error = await failureOf(mailerFor(server.url).send(message({ to })));
      expect([to, error instanceof MailRefused, allOf(error).includes('evil')]).toEqual([to, true, false]);
    }
    expect(server.recipients).toEqual([]);
    expect(server.messages).toEqual([]);
  });
});

describe('a name or a label', () => {
  it.each([
    'x\r\nBcc: eve@evil.example',
    'x\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\nDATA',
    '--boundary\r\nContent-Type: text/html\r\n\r\n<b>',
  ])('cannot add a header, a command or a part: %j', async (label) => {
    const server = await serve();
    await mailerFor(server.url).send(
      message({ subject: label, parts: [label, `The key ${label} was added.`] }),
    );
    const { envelope, parsed, raw } = await server.next();
    expect(server.recipients).toEqual(['mona@example.org']);
    expect(server.messages).toHaveLength(1);
    expect(envelope.to).toEqual(['mona@example.org']);
    expect(headersOf(raw).sort()).toEqual(HEADERS);
    expect(parsed.attachments).toEqual([]);
    expect(parsed.text).toContain('was added.');
    expect(parsed.html).not.toContain('<b>');
    expect(raw).not.toContain('\0');
  });
});

/** smtp-server's options for a server that requires this password, and repeats a wrong one in its error. */
const requiring = (password: string): SMTPServerOptions => ({
  disabledCommands: ['STARTTLS'],
  authOptional: false,
  onAuth({ username, password: given }, _session, done) {
    if (username === 'guard' && given === password) return done(null, { user: 'guard' });
    done(Object.assign(new Error(`5.7.8 guard has no password ${given}`), { responseCode: 535 }));
  },
});
const REQUIRES_SIGN_IN = requiring(PASSWORD);
const signedIn = ({ url }: SmtpServer, password = PASSWORD) =>
  url.replace('://', `://guard:${encodeURIComponent(password)}@`);

/** A server that doesn't speak SMTP: it sends one digit at a time without end. */
async function serveRaw(): Promise<string> {
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    timers.push(setInterval(() => socket.write('2'), 500));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => {
    timers.forEach(clearInterval);
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the failure of a mail server', () => {
  it.each<[Behaviour, refused: boolean, says: RegExp]>([
    ['refuse recipient', true, /\(EENVELOPE RCPT TO 550 5\.1\.1\)/],
    ['refuse data', true, /\(EMESSAGE DATA 552 5\.3\.4\)/],
    ['later', false, /\(EENVELOPE RCPT TO 451 4\.7\.1\)/],
    ['ask for sign-in', false, /\(EENVELOPE RCPT TO 530 5\.7\.0\)/],
    ['cut', false, /\(ECONNECTION/],
  ])('is reported by its codes only, for the behaviour: %s', async (behaviour, refused, says) => {
    const server = await serve(behaviour, REQUIRES_SIGN_IN);
    const error = await failureOf(mailerFor(signedIn(server)).send(message()));
    expect(error.message).toMatch(says);
    expect(error instanceof MailRefused).toBe(refused);
    expect(allOf(error)).not.toMatch(SECRETS);
    expect(logged).toEqual([]);
    expect(server.messages).toEqual([]);
  });

  it('ends the attempt at its deadline if the server hangs at any point', async () => {
    const [silent, deaf] = [
      await serve('hang', REQUIRES_SIGN_IN),
      await serve('hang after DATA', REQUIRES_SIGN_IN),
    ];
    const urls = [signedIn(silent), await serveRaw(), signedIn(deaf)];
    const failures = await Promise.all(
      urls.map((url) => failureOf(mailerFor(url, { deadlineMs: 2_500 }).send(message()))),
    );
    for (const error of failures) {
      expect(error.message).toMatch(/\(E[A-Z]+/);
      expect(error).not.toBeInstanceOf(MailRefused);
      expect(allOf(error)).not.toMatch(SECRETS);
    }
    expect(deaf.messages).toEqual([]);
  });

  it('does not keep the mailer open after it is closed', async () => {
    const server = await serve('hang');
    const mailer = mailerFor(server.url);
    const failing = failureOf(mailer.send(message()));
    await server.connected();
    mailer.close();
    const error = await failing;
    expect(error.message).toMatch(/ECONNECTION/);
  });
});

describe('sign-in at the mail server', () => {
  it('uses the name and password of the URL', async () => {
    const password = 'p@ss:w/rd%?';
    const server = await serve('take', requiring(password));
    await mailerFor(signedIn(server, password)).send(message());
    expect(server.messages).toHaveLength(1);
  });

  it('that fails may work later, and its error does not contain the password', async () => {
    const server = await serve('take', requiring('another'));
    const error = await failureOf(mailerFor(signedIn(server)).send(message()));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(/\(EAUTH AUTH PLAIN 535/);
    expect(allOf(error)).not.toMatch(SECRETS);
    expect(server.recipients).toEqual([]);
  });
});

describe('TLS', () => {
  const options = { disabledCommands: ['AUTH'] };

  it.each([
    ['after STARTTLS', {}],
    ['from the start', { secure: true }],
  ])('%s requires a certificate that the system trusts', async (_when, more) => {
    const server = await serve('take', { ...options, ...more });
    const error = await failureOf(mailerFor(server.url).send(message()));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(/\((ETLS|ESOCKET)/);
    expect(server.messages).toEqual([]);
    await mailerFor(`${server.url}?tls.rejectUnauthorized=false`).send(message());
    expect(server.messages).toHaveLength(1);
  });

  it('that is required but not offered ends the attempt', async () => {
    const server = await serve();
    const error = await failureOf(mailerFor(`${server.url}?requireTLS=true`).send(message()));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(/\(ETLS STARTTLS/);
    expect(server.messages).toEqual([]);
  });
});
