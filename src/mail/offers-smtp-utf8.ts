import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

/**
 * Asks a mail server on a connection of its own whether it accepts addresses with non-ASCII letters before
 * the @ (RFC 6531). nodemailer's transport doesn't say, and sends such an address even if the server didn't
 * offer SMTPUTF8; that is why this file uses `SMTPConnection`, the layer below it.
 */
export async function offersSmtpUtf8(options: SMTPConnectionOptions, signal: AbortSignal): Promise<boolean> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      connection.on('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    // The last answer is the one to EHLO, after STARTTLS if there was one (RFC 6531 section 3.1).
    return /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '');
  } finally {
    connection.close();
  }
}
