import { checkSmtp } from '../../adapters/mail/check-smtp.ts';
import { createSmtpMailer } from '../../adapters/mail/smtp.ts';
import type { Config } from '../../settings/config.ts';
import type { MailDeps } from './check-mail.ts';

const DEADLINE_MS = 8_000;

/** The mail server of the settings; undefined if there is none. */
export function mailServer({ mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>): MailDeps['mail'] {
  if (!mail) return undefined;
  const mailer = createSmtpMailer({ ...mail, origin: publicUrl, deadlineMs: DEADLINE_MS });
  return {
    connect: () => checkSmtp(mail.url, DEADLINE_MS),
    send: (to) =>
      mailer.send({
        to,
        subject: 'A test message of OTP Guard',
        text: `This message shows that OTP Guard at ${publicUrl} can send e-mail. You don’t have to do anything.`,
        image: null,
      }),
  };
}
