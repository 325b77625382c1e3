import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import { emailAddress, LONGEST_ADDRESS } from '../../contract/email.ts';
import { type Mailer, type MailMessage, MailRefused } from '../../notices/ports.ts';
import type { Log } from '../../shared/log-events.ts';
import { drawImage } from './image.ts';
import { renderMail } from './render.ts';

/** The time for one message, from connecting to the server's last answer. */
const DEADLINE_MS = 9_000;

type Input = {
  /** `smtp://user:password@host:port` or `smtps://…`, with the options that createSmtpMailer describes. */
  url: string;
  /** The sender: an address, or a name and an address as in `OTP Guard <otp-guard@example.org>`. */
  from: string;
  /** The product's own origin: a message links to no other. */
  origin: string;
  /** Gets a warning if a security image can't be drawn; its message is sent without it. */
  log?: Pick<Log, 'warn'>;
  deadlineMs?: number | undefined;
};

/**
 * Sends by SMTP, with a new connection for each message.
 *
 * With `smtps:` the whole connection is TLS. With `smtp:` the mailer uses STARTTLS if the server offers it;
 * with `?requireTLS=true` it sends nothing, not even the password, to a server that doesn't. TLS requires a
 * certificate for the URL's host name that the system trusts, and never falls back to plain text;
 * `?tls.rejectUnauthorized=false` accepts any certificate. Without TLS, nothing protects the message on its way.
 *
 * `send` rejects within ten seconds. Its error names codes and the SMTP command, and contains neither the
 * password nor an address nor the server's words.
 */
export function createSmtpMailer({
  url,
  from,
  origin,
  log,
  deadlineMs = DEADLINE_MS,
}: Input): Mailer & { close(): void } {
  let connecting: ReturnType<typeof createSmtpTransport> | undefined;
  const closing = new AbortController();

  return {
    async send(message) {
      const to = deliverableAddress(message.to);
      const png = await draw(message.image, log);
      connecting ??= createSmtpTransport(url);
      const transport = await connecting;
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]);
      try {
        const mail = toMail({ message: { ...message, to }, from, origin, png });
        await transport.sendMail({ ...mail, signal });
      } catch (error) {
        const code = closing.signal.aborted ? 'ECONNECTION' : 'ETIMEDOUT';
        throw readSmtpError(signal.aborted ? Object.assign(new Error(), { code }) : (error as SMTPError));
      }
    },

    /** Aborts every message that is being sent: its `send` rejects. The mailer sends nothing more. */
    close: () => closing.abort(),
  };
}

type Timeouts = { connectionTimeout?: number; greetingTimeout?: number; socketTimeout?: number };

/** Loads nodemailer when the first message needs it, because it's large. */
async function createSmtpTransport(url: string, timeouts: Timeouts = {}) {
  const { createTransport } = await import('nodemailer');
  // The options of a URL win over those next to it, so they are read first. A URL could ask for a log on
  // standard output, which would show addresses, or for connections that are kept open.
  const { options } = createTransport(url);
  return createTransport({ ...options, ...timeouts, logger: false, debug: false, pool: false });
}

/**
 * Connects to the mail server and signs in, without a message.
 *
 * @throws Error that names codes and the SMTP command, and contains neither the password nor the server's words.
 */
export async function checkSmtp(url: string, deadlineMs: number): Promise<void> {
  const transport = await createSmtpTransport(url, {
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
  });
  try {
    await transport.verify();
  } catch (error) {
    throw readSmtpError(error as SMTPError);
  } finally {
    transport.close();
  }
}

async function draw(image: MailMessage['image'], log: Input['log']): Promise<Uint8Array | null> {
  if (image === null) return null;
  try {
    return await drawImage(image);
  } catch (error) {
    log?.warn(
      { event: 'image_not_drawn', err: error },
      "can't draw a security image; its message is sent without it",
    );
    return null;
  }
}

type Parts = { message: MailMessage; from: string; origin: string; png: Uint8Array | null };

/** The message for nodemailer. Of people's texts, headers contain only what GitHub restricts to letters, digits and `._-`. */
function toMail({ message, from, origin, png }: Parts): SendMailOptions {
  const imageId = png && `${randomUUID()}@security-image`;
  const { subject, text, html } = renderMail({ ...message, origin, imageId });
  const picture = png &&
    imageId && {
      filename: 'security-image.png',
      content: Buffer.from(png),
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
      cid: imageId,
    };
  return {
    from,
    to: { name: '', address: message.to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(message) },
    attachments: picture ? [picture] : [],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Mail programs show a button for these, which posts to the address (RFC 8058). */
const unsubscribeHeaders = ({ unsubscribeUrl }: MailMessage) =>
  unsubscribeUrl !== null && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };

/**
 * The address as a mail server gets it: its domain in ASCII, its local part unchanged.
 *
 * @throws MailRefused if the text isn't exactly one address, or is too long with its ASCII domain.
 */
export function deliverableAddress(text: string): string {
  const { data: address = '' } = emailAddress.safeParse(text);
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const deliverable = `${address.slice(0, at)}@${domain}`;
  if (domain === '' || Buffer.byteLength(deliverable) > LONGEST_ADDRESS) {
    throw new MailRefused("Mail can't be sent to this address.");
  }
  return deliverable;
}

/** RFC 5321 section 3.5 and RFC 4954: these replies say that we aren't signed in, and nothing about the recipient. */
const NOT_SIGNED_IN = [530, 534, 535, 538];

/**
 * The meaning of a failed conversation for the message: `MailRefused` if the server refused this recipient or
 * message permanently. The new error names codes and the SMTP command only, because the server's words often
 * repeat the address or the password. An error without a code is a bug of ours and is returned unchanged.
 */
function readSmtpError(error: SMTPError): Error {
  if (error.code === undefined) return error;
  const isAboutMessage = error.command === 'RCPT TO' || error.command === 'DATA';
  if (isAboutMessage && error.permanent && !NOT_SIGNED_IN.includes(error.responseCode ?? 0)) {
    return new MailRefused(`The mail server refused the message (${codesOf(error)}).`);
  }
  return new Error(`The mail server did not accept the message (${codesOf(error)}).`);
}

function codesOf({ code, originalCode, command, responseCode, response }: SMTPError): string {
  // RFC 3463: class, subject, detail. Only digits, so it can't repeat anything.
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  return [code, originalCode, command, responseCode, status].filter(Boolean).join(' ');
}
