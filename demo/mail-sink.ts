import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const MOST_MAILS = 100;
const MOST_BYTES = 1024 * 1024;

/** A received mail. */
export type ReceivedMail = {
  /** Counts up from 1. */
  id: number;
  at: Date;
  /** The recipients in the envelope, separated by commas. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The attached PNG, if there is one. */
  image: Uint8Array | null;
};

/** A mail server that accepts all mail and delivers none. */
export type MailSink = {
  /** The value for SMTP_URL. */
  url: string;
  /** The newest hundred mails, newest first. */
  mails(): readonly ReceivedMail[];
  close(): Promise<void>;
};

async function parse(raw: Buffer): Promise<Pick<ReceivedMail, 'subject' | 'text' | 'html' | 'image'>> {
  const { subject = '', text = '', html = '', attachments } = await PostalMime.parse(raw);
  const content = attachments.find(({ mimeType }) => mimeType === 'image/png')?.content;
  const image =
    content instanceof ArrayBuffer || content instanceof Uint8Array ? new Uint8Array(content) : null;
  return { subject, text, html, image };
}

/** Starts the mail server on a free port of loopback. */
export async function startMailSink(): Promise<MailSink> {
  const mails: ReceivedMail[] = [];
  let count = 0;
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    size: MOST_BYTES,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address).join(', ');
      buffer(stream)
        .then(parse)
        .then((mail) => {
          count += 1;
          mails.unshift({ id: count, at: new Date(), to, ...mail });
          mails.length = Math.min(mails.length, MOST_MAILS);
          done();
        })
        .catch(done);
    },
  });
  // The sender notices a broken connection and reports it.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
