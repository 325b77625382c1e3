import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Answer, Session, TestProduct } from './product.ts';
import { until } from './product.ts';
import type { Received, SmtpServer } from './smtp.ts';

export type MailRoute = {
  /** To be given as SMTP_URL; it stays while the servers behind it change. */
  url: string;
  /** Leads to this server from now on; to nobody where it is null. */
  lead(server: SmtpServer | null): void;
  close(): Promise<void>;
};

/** A port that leads to the mail server which the test wants at the moment. */
export async function startMailRoute(): Promise<MailRoute> {
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
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(to) {
      port = to && Number(new URL(to.url).port);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a mail server took, looked through by recipient and subject; each message is found once. */
export function mailboxOf(server: SmtpServer) {
  const found = new Set<Received>();
  const next = (to: string, subject: string) =>
    server.messages.find(
      (mail) => !found.has(mail) && mail.parsed.subject === subject && mail.envelope.to.includes(to),
    );
  return {
    /** Waits for it. */
    async take(to: string, subject: string): Promise<Received> {
      const mail = await until(`“${subject}” to ${to}`, async () => next(to, subject));
      found.add(mail);
      return mail;
    },
    /** Subjects of what nobody has found yet, by recipient. */
    left: () =>
      server.messages
        .filter((mail) => !found.has(mail))
        .map(({ envelope, parsed }) => `${parsed.subject} → ${envelope.to.join()}`),
  };
}
export type Mailbox = ReturnType<typeof mailboxOf>;

export const CODE_SUBJECT = 'Your OTP Guard code';

/** The six digits of a message. */
export function codeIn({ parsed }: Received): string {
  const [, code = ''] = /^([0-9]{6}) is your code\.$/m.exec(parsed.text ?? '') ?? [];
  if (code === '') throw new Error(`no code in “${parsed.text}”`);
  return code;
}

export function askForCode(product: TestProduct, session: Partial<Session>, email: unknown): Promise<Answer> {
  return product.call('/github-precheck-email', { email }, session);
}

export type Sent = { email: string; ts: number; sig: string; code: string };

/** A code that has arrived, with all that confirms it. */
export async function sentCode(
  product: TestProduct,
  session: Session,
  mailbox: Mailbox,
  email: string,
): Promise<Sent> {
  const answer = await askForCode(product, session, email);
  if (answer.status !== 200) throw new Error(`e-mail precheck: ${answer.status} ${answer.text}`);
  const { ts, sig } = answer.json<{ ts: number; sig: string }>();
  return { email, ts, sig, code: codeIn(await mailbox.take(email, CODE_SUBJECT)) };
}

export function confirm(product: TestProduct, session: Partial<Session>, sent: unknown): Promise<Answer> {
  return product.call('/github-confirm-email', sent, session);
}

/** Gives the person a confirmed address. */
export async function confirmAddress(
  product: TestProduct,
  session: Session,
  mailbox: Mailbox,
  email: string,
): Promise<void> {
  const answer = await confirm(product, session, await sentCode(product, session, mailbox, email));
  if (answer.text !== 'ok') throw new Error(`e-mail confirmation: ${answer.status} ${answer.text}`);
}
