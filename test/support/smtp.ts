import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from './until.ts';

/** How the server treats a message. */
export type Behaviour =
  | 'take'
  /** 550 for the recipient. */
  | 'refuse recipient'
  /** 552 for the message. */
  | 'refuse data'
  /** 451 for the recipient. */
  | 'later'
  /** 530 for the recipient. */
  | 'ask for sign-in'
  /** Accepts the connection and never greets. */
  | 'hang'
  /** Reads the message and never answers. */
  | 'hang after DATA'
  /** Closes the connection after RCPT. */
  | 'cut';

/** A received message: its envelope, its parsed content and its bytes. */
export type Received = { envelope: { from: string; to: string[] }; parsed: Email; raw: string };

export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;

/** An error with an SMTP reply code. Its text repeats the address, as many servers do. */
const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

/** Starts a real mail server on loopback. `options` are those of smtp-server; TLS and sign-in are off by default. */
export async function startSmtpServer(behaviour: Behaviour = 'take', options: SMTPServerOptions = {}) {
  const messages: Received[] = [];
  const recipients: string[] = [];
  const sockets = new Set<Socket>();
  const wire: Buffer[] = [];
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    closeTimeout: 100,
    ...options,
    onConnect(_session, done) {
      if (behaviour !== 'hang') done();
    },
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      if (behaviour === 'cut') return cut();
      if (behaviour === 'refuse recipient') return done(reply(550, `5.1.1 <${address}> is nobody here`));
      if (behaviour === 'ask for sign-in') return done(reply(530, `5.7.0 <${address}> only after sign-in`));
      if (behaviour === 'later') return done(reply(451, `4.7.1 <${address}> is greylisted`));
      done();
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream);
      if (behaviour === 'hang after DATA') return;
      if (behaviour === 'refuse data') return done(reply(552, '5.3.4 Too large'));
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
      messages.push({ envelope, parsed: await PostalMime.parse(raw), raw: raw.toString('latin1') });
      done();
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('data', (chunk: Buffer) => wire.push(chunk));
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  let returned = 0;
  return {
    /** The value for SMTP_URL. */
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    /** All accepted messages, oldest first. */
    messages,
    /** The address of each RCPT command, accepted or refused, with domains in Unicode. */
    recipients,
    /** All bytes that were sent without TLS. */
    wire: () => Buffer.concat(wire).toString('utf8'),
    connected: () => until('a connection', async () => sockets.size > 0),
    /** Treats the messages from now on so. */
    become(next: Behaviour) {
      behaviour = next;
    },
    /** Waits for the next message that this method hasn't returned yet. */
    next() {
      const index = returned;
      returned += 1;
      return until('the next message', async () => messages[index]);
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      cut();
      await closed;
    },
  };
}
