import type { Session, TestProduct } from './product.ts';
import type { Received, SmtpServer } from './smtp.ts';
import { until } from './until.ts';

/** Finds a mail server's messages by recipient and subject, each message once. */
export function mailboxOf(server: SmtpServer) {
  const found = new Set<Received>();
  const next = (to: string, subject: string) =>
    server.messages.find(
      (mail) => !found.has(mail) && mail.parsed.subject === subject && mail.envelope.to.includes(to),
    );
  return {
    /** Waits for the message. */
    async take(to: string, subject: string): Promise<Received> {
      const mail = await until(`“${subject}” to ${to}`, async () => next(to, subject));
      found.add(mail);
      return mail;
    },
    /** Subjects and recipients of the messages that `take` hasn't returned. */
    left: () =>
      server.messages
        .filter((mail) => !found.has(mail))
        .map(({ envelope, parsed }) => `${parsed.subject} → ${envelope.to.join()}`),
  };
}
export type Mailbox = ReturnType<typeof mailboxOf>;

export const CODE_SUBJECT = 'Your OTP Guard code';

/** The six-digit code in a message. */
export function codeIn({ parsed }: Received): string {
  const [, code = ''] = /^([0-9]{6}) is your code\.$/m.exec(parsed.text ?? '') ?? [];
  if (code === '') throw new Error(`no code in “${parsed.text}”`);
  return code;
}

/** Confirms an address of the person with the code that is sent to it. */
export async function confirmAddress(
  product: TestProduct,
  session: Session,
  mailbox: Mailbox,
  email: string,
): Promise<void> {
  const asked = await product.call('/github-precheck-email', { email }, session);
  if (asked.status !== 200) throw new Error(`e-mail precheck: ${asked.status} ${asked.text}`);
  const code = codeIn(await mailbox.take(email, CODE_SUBJECT));
  const sent = { email, ...asked.json<object>(), code };
  const answer = await product.call('/github-confirm-email', sent, session);
  if (answer.text !== 'ok') throw new Error(`e-mail confirmation: ${answer.status} ${answer.text}`);
}
