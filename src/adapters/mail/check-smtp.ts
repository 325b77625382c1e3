import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import { createSmtpTransport } from './smtp.ts';
import { readSmtpError } from './smtp-error.ts';

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
