import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const MOST_KEPT = 100;
const LARGEST = 1024 * 1024;

/** One mail as it arrived. */
export type ReceivedMail = {
  /** Counts up from 1. */
  id: number;
  at: Date;
  /** The recipient that the envelope names. */
  to: string;
  subject: string;
  text: string;
  /** The PNG that the message carries. */
  image: Uint8Array | null;
};

/** A mail server that delivers nothing and shows everything. */
export type MailSink = {
  /** To be given as SMTP_URL. */
  url: string;
  /** What came since the start, the newest first; at most the newest hundred. */
  mails(): readonly ReceivedMail[];
  close(): Promise<void>;
};

async function parse(raw: Buffer): Promise<Pick<ReceivedMail, 'subject' | 'text' | 'image'>> {
  const { subject = '', text = '', attachments } = await PostalMime.parse(raw);
  const content = attachments.find(({ mimeType }) => mimeType === 'image/png')?.content;
  const image =
    content instanceof ArrayBuffer || content instanceof Uint8Array ? new Uint8Array(content) : null;
  return { subject, text, image };
}

/** Takes every mail, on a port of its own on loopback. */
export async function startMailSink(): Promise<MailSink> {
  const kept: ReceivedMail[] = [];
  let count = 0;
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    size: LARGEST,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address).join(', ');
      buffer(stream)
        .then(parse)
        .then((mail) => {
          count += 1;
          kept.unshift({ id: count, at: new Date(), to, ...mail });
          kept.length = Math.min(kept.length, MOST_KEPT);
          done();
        })
        .catch(done);
    },
  });
  // A connection that breaks is its sender's to tell.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => kept,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
