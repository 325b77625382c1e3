import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Session, TestProduct } from './product.ts';
import type { Received, SmtpServer } from './smtp.ts';
import { until } from './until.ts';

export type MailRoute = Awaited<ReturnType<typeof startMailRoute>>;

/** A port that forwards to one mail server at a time. */
export async function startMailRoute() {
  let port: number | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    sockets.add(incoming);
    incoming.on('error', () => undefined);
    if (port === null) return void incoming.destroy();
    const outgoing = connect(port, '127.0.0.1');
    outgoing.on('error', () => incoming.destroy());
    outgoing.on('close', () => incoming.destroy());
    incoming.on('close', () => {
      outgoing.destroy();
      sockets.delete(incoming);
    });
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** The value for SMTP_URL. It stays the same when the target changes. */
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Forwards connections to this server; closes them if it is null. */
    lead(to: SmtpServer | null) {
      port = to && Number(new URL(to.url).port);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

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
