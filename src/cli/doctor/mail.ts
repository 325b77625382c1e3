import { checkSmtp, createSmtpMailer } from '../../adapters/mail/smtp.ts';
import type { Config } from '../../settings/config.ts';
import { type Found, note, ok, problem } from './finding.ts';

/** Checks that the mail server takes our sign-in and, if there is an address, a test message. */
export async function checkMail(mail: ReturnType<typeof mailServer>, to: string | undefined): Promise<Found> {
  if (!mail) {
    const text = 'No mail server is set, so nobody gets an e-mail. Set SMTP_URL and MAIL_FROM.';
    return to === undefined ? note(text) : problem(text);
  }
  try {
    await (to === undefined ? mail.connect() : mail.send(to));
  } catch (error) {
    // The mailer's own errors name codes only; others could repeat the password.
    return problem(`${(error as Error).message} Check SMTP_URL and MAIL_FROM.`);
  }
  return to === undefined
    ? ok('The mail server accepts the connection. Add --mail <address> to send a test message.')
    : ok(`The mail server accepted a test message to ${to}. Check that it arrived.`);
}

const DEADLINE_MS = 8_000;

/** The mail server of the settings; undefined if there is none. */
export function mailServer({ mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>) {
  if (!mail) return undefined;
  const mailer = createSmtpMailer({ ...mail, origin: publicUrl, deadlineMs: DEADLINE_MS });
  return {
    connect: () => checkSmtp(mail.url, DEADLINE_MS),
    send: (to: string) =>
      mailer.send({
        to,
        subject: 'A test message of OTP Guard',
        parts: [
          { role: 'heading', text: 'E-mail works' },
          `This message shows that OTP Guard at ${publicUrl} can send e-mail. You don’t have to do anything.`,
        ],
        org: null,
        unsubscribeUrl: null,
        image: null,
      }),
  };
}
