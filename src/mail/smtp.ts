import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection';
import { type Mailer, type MailMessage, MailRefused } from '../accounts/ports.ts';
import { emailAddress, LONGEST_ADDRESS } from '../contract/email.ts';
import { drawImage } from './image.ts';
import { renderMail } from './render.ts';

/** What one message may take from the first byte to the server's last answer. */
const DEADLINE_MS = 9_000;
/** RFC 5321 section 3.5 and RFC 4954: these say that we are not signed in, and nothing of the recipient. */
const NOT_SIGNED_IN = [530, 534, 535, 538];

type Input = {
  /** `smtp://user:password@host:port` or `smtps://…`; see createSmtpMailer for what may follow. */
  url: string;
  /** The sender: an address, or a name and an address as in `OTP Guard <otp-guard@example.org>`. */
  from: string;
  /** The product's own origin: the only one that a message links to. */
  origin: string;
  /** Hears of a security image that could not be drawn; its message goes out without. */
  log?: { warn(fields: object, message: string): void };
  /** What one message may take. */
  deadlineMs?: number | undefined;
};

/**
 * Sends by SMTP, a connection for each message and nothing kept between them.
 *
 * With `smtps:` the whole connection is TLS. With `smtp:` STARTTLS is used where the server offers it, and
 * `?requireTLS=true` sends nothing, no password either, where it does not. Whenever TLS is used, the server
 * must show a certificate for the host name in the URL that the system trusts; one that does not ends the
 * attempt, it never falls back to plain text. `?tls.rejectUnauthorized=false` takes any certificate.
 * Without TLS nothing is verified and anybody on the way can read along.
 *
 * A rejection comes within ten seconds. It tells error code, reply code and command, and holds neither the
 * password nor an address nor the server's words, which often repeat them.
 */
export function createSmtpMailer({
  url,
  from,
  origin,
  log,
  deadlineMs = DEADLINE_MS,
}: Input): Mailer & { close(): void } {
  const open = new Set<SMTPConnection>();

  async function drawn(image: MailMessage['image']): Promise<Uint8Array | null> {
    if (image === null) return null;
    try {
      return await drawImage(image);
    } catch (error) {
      log?.warn({ err: error }, 'a security image could not be drawn: its message goes out without');
      return null;
    }
  }

  return {
    async send(message) {
      const to = deliverable(message.to);
      const { sender, bytes } = await compose({
        ...message,
        to,
        from,
        origin,
        png: await drawn(message.image),
      });
      const { auth, ...server } = parseConnectionUrl(url);
      const connection = new SMTPConnection({
        ...server,
        // The URL could ask for a log on standard output.
        logger: false,
        debug: false,
        dnsTimeout: deadlineMs,
        connectionTimeout: deadlineMs,
        greetingTimeout: deadlineMs,
        socketTimeout: deadlineMs,
      });
      open.add(connection);
      connection.once('end', () => open.delete(connection));
      try {
        await within(connection, deadlineMs, async () => {
          await step((done) => connection.connect(done));
          // The last answer is that to EHLO, after STARTTLS if there was one (RFC 6531 section 3.1).
          const takesUtf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '');
          if (/\P{ASCII}/u.test(to) && !takesUtf8) {
            throw new MailRefused('The mail server takes no address with such characters before the @.');
          }
          if (auth && connection.allowsAuth) {
            const { user, pass } = auth;
            await step((done) => connection.login({ user, pass, credentials: { user, pass } }, done));
          }
          await step((done) => connection.send({ from: sender, to: [to] }, bytes, done));
        });
      } catch (error) {
        connection.close();
        throw error instanceof MailRefused ? error : outcomeOf(error as SMTPError);
      }
      connection.quit();
    },

    /** Ends what is under way; that rejects. */
    close() {
      for (const connection of open) connection.close();
    },
  };
}

/**
 * The address as the mail server gets it: its domain in ASCII, its local part as it is.
 *
 * @throws MailRefused for what is no single address, or too long then.
 */
function deliverable(address: string): string {
  const { data = '' } = emailAddress.safeParse(address);
  const at = data.lastIndexOf('@');
  const domain = domainToASCII(data.slice(at + 1));
  const ascii = `${data.slice(0, at)}@${domain}`;
  if (domain === '' || Buffer.byteLength(ascii) > LONGEST_ADDRESS) {
    throw new MailRefused('This is no address that mail can be sent to.');
  }
  return ascii;
}

type Composed = MailMessage & { from: string; origin: string; png: Uint8Array | null };

/** The bytes of a message, and the address that it is from. No header holds a person's text. */
async function compose(input: Composed): Promise<{ sender: string; bytes: Buffer }> {
  const imageId = input.png && `${randomUUID()}@security-image`;
  const { text, html } = renderMail({ ...input, imageId });
  const message = new MailComposer({
    from: input.from,
    to: { name: '', address: input.to },
    subject: input.subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments:
      input.png && imageId
        ? [
            {
              filename: 'security-image.png',
              content: Buffer.from(input.png),
              contentType: 'image/png',
              contentDisposition: 'inline',
              cid: imageId,
            },
          ]
        : [],
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from } = message.getEnvelope();
  return { sender: from || '', bytes: await message.build() };
}

/** One step of the conversation as a promise. */
function step(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

/** Runs the conversation until it is through, the connection breaks or time is up. */
async function within(
  connection: SMTPConnection,
  deadlineMs: number,
  talk: () => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    const fail = (code: string) => reject(Object.assign(new Error(), { code }));
    connection.on('error', reject);
    connection.once('end', () => fail('ECONNECTION'));
    timer = setTimeout(fail, deadlineMs, 'ETIMEDOUT');
  });
  try {
    await Promise.race([talk(), broken]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a failure means for this message, told without the server's words. */
function outcomeOf(error: SMTPError): Error {
  const { code, originalCode, command, responseCode, response } = error;
  // A fault of ours, not of the conversation.
  if (code === undefined) return error;
  // RFC 3463: class, subject, detail. Digits alone, so it repeats nothing.
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const facts = [code, originalCode, command, responseCode, status].filter(Boolean).join(' ');
  const isOfMessage = command === 'RCPT TO' || command === 'DATA';
  if (isOfMessage && error.permanent && !NOT_SIGNED_IN.includes(responseCode ?? 0)) {
    return new MailRefused(`The mail server refused the message (${facts}).`);
  }
  return new Error(`The mail server did not take the message (${facts}).`);
}
