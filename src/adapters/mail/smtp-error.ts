import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import { MailRefused } from '../../notices/ports.ts';

/** RFC 5321 section 3.5 and RFC 4954: these replies say that we aren't signed in, and nothing about the recipient. */
const NOT_SIGNED_IN = [530, 534, 535, 538];

/**
 * What a failed conversation means for the message: `MailRefused` if the server refused this recipient or
 * message permanently. The new error names codes and the SMTP command only, because the server's words often
 * repeat the address or the password. An error without a code is a bug of ours and is returned unchanged.
 */
export function readSmtpError(error: SMTPError): Error {
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
