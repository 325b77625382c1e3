import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createHttpsSender,
  createResolveHost,
  isPublicAddress,
} from '../../../../src/adapters/https/https-sender.ts';
import { parseOutgoingUrl } from '../../../../src/outgoing-webhooks/set-outgoing-webhook.ts';
import { certificateOf } from '../../../support/certificate.ts';

const words = (text: string) => text.trim().split(/\s+/);

it('only addresses of hosts on the internet are public', () => {
  const all = '1.1.1.1 8.8.8.8 52.94.236.248 172.32.0.1 192.169.0.1 2606:4700:4700::1111 2a00:1450::8a';
  expect(words(all).filter((address) => !isPublicAddress(address))).toEqual([]);
  const others = words(`
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
    240.0.0.1 255.255.255.255 168.63.129.16 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 127.0.0.1. localhost
    :: ::1 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:10.0.0.1
    64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 2002:7f00:1:: 2002:808:808:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
    fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2a00:1450::8a%1 fec0::1 ff02::1 100::1 2001:db8::1 3fff::1 5f00::1
    4000::1 [::1] hooks.example 1.1.1.1/0`);
  expect(others.filter(isPublicAddress)).toEqual([]);
});

it('a hook’s address is https at a public host, without a port, a password and a fragment', () => {
  const hostOf = (url: string) => parseOutgoingUrl(url, isPublicAddress).host;
  const all = `https://hooks.slack.com/services/T0/B0/x https://Hooks.Slack.com:443/a?b=c https://1.1.1.1/
    https://xn--mnchen-3ya.example.org/ https://[2606:4700:4700::1111]/`;
  expect(words(all).map(hostOf)).toEqual([
    ...[
      'hooks.slack.com',
      'hooks.slack.com',
      '1.1.1.1',
      'xn--mnchen-3ya.example.org',
      '[2606:4700:4700::1111]',
    ],
  ]);
  const others = `http://a.example.com/ ftp://a.example.com/ javascript:alert(1) //a.example.com/ a.example.com
    https://user@a.example.com/ https://:p@a.example.com/ https://u:p@a.example.com/ https://a.example.com:8443/ https://a.example.com:22/
    https://a.example.com/#x https://a.example.com./ https://localhost/ https://127.0.0.1/ https://127.1/ https://0/
    https://0x7f.1/ https://2130706433/ https://0177.0.0.1/ https://10.0.0.1/ https://169.254.169.254/latest
    https://127.0.0.1./ https://[::]/ https://[::1]/ https://[::ffff:127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://
    https://[fe80::1%25eth0]/ https://intranet/ https://db.internal/ https://a.localhost/ https://printer.local/
    https://①②⑦.⓪.⓪.①/ https://a\\.example.com/ https://a.example.com\\@127.0.0.1/ https:a.example.com https:///a.org/`;
  for (const url of words(others)) expect(() => hostOf(url)).toThrow('Enter an https address');
});

describe('a delivery', () => {
  let receiver: Awaited<ReturnType<typeof startHttpsReceiver>>;
  const LOOPBACK = '127.0.0.1';
  const UNREACHABLE = { result: 'unreachable' };

  beforeAll(async () => {
    receiver = await startHttpsReceiver((path, response) => {
      if (path === '/hang') return;
      if (path === '/early') {
        response.writeProcessing();
        return void setImmediate(() => response.writeHead(200).end());
      }
      if (path === '/interim') return void setInterval(() => response.writeProcessing(), 5).unref();
      response.writeHead(Number(path.slice(1)), { location: '/200' });
      // The body never ends.
      response.write('a secret of the receiver');
    });
  });
  afterAll(() => receiver?.close());

  const urlOf = (path: string, host = 'hooks.example') => `https://${host}:${receiver.port}${path}`;
  const send = (url: string, options: Parameters<typeof createHttpsSender>[0] = {}) => {
    const allowed = { ca: receiver.ca, isPublic: () => true, resolve: async () => [LOOPBACK] };
    const headers = { 'x-otp-guard-event': 'test' };
    return createHttpsSender({ ...allowed, ...options }).send({ url, headers, body: '{"é":1}' });
  };
  /** Short: a try that connects to nothing gets no answer. */
  const guarded = { deadlineMs: 150, isPublic: isPublicAddress };

  it.each([200, 202, 302, 307, 404, 500])(
    'answers with the status %d alone, and follows no redirect',
    async (status) => {
      const before = receiver.received.length;
      expect(await send(urlOf(`/${status}`))).toEqual({ result: 'answered', status });
      const headers = { 'x-otp-guard-event': 'test', 'content-length': '8', connection: 'close' };
      const request = { path: `/${status}`, body: '{"é":1}', headers: expect.objectContaining(headers) };
      expect(receiver.received.slice(before)).toEqual([request]);
    },
  );

  it('needs a valid certificate, in any environment', async () => {
    const before = receiver.received.length;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const outcomes = [await send(urlOf('/200', 'other.example')), await send(urlOf('/200'), { ca: '' })];
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    expect(outcomes).toEqual([{ result: 'certificate' }, { result: 'certificate' }]);
    expect(receiver.received).toHaveLength(before);
  });

  it('connects to nothing that isn’t public, by name or literally, and not over http', async () => {
    const before = receiver.connections();
    for (const addresses of [[LOOPBACK], ['1.1.1.1', LOOPBACK], [`::ffff:${LOOPBACK}`], []])
      expect(await send(urlOf('/200'), { ...guarded, resolve: async () => addresses })).toEqual(UNREACHABLE);
    for (const host of [LOOPBACK, '[::ffff:7f00:1]', '2130706433'])
      expect(await send(urlOf('/200', host), guarded)).toEqual(UNREACHABLE);
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await send(urlOf('/200'), { ...guarded, resolve })).toEqual(UNREACHABLE);
    expect(await send(urlOf('/200').replace('https', 'http'), { deadlineMs: 150 })).toEqual(UNREACHABLE);
    expect(receiver.connections()).toBe(before);
  });

  it('checks the addresses of each connection, and the address that it got', async () => {
    const before = receiver.received.length;
    let lookups = 0;
    // A name that was public when it was set, and leads to our own network now.
    const resolve = async () => [++lookups === 1 ? LOOPBACK : '10.0.0.1'];
    const isPublic = (address: string) => address === LOOPBACK;
    const changing = (deadlineMs: number) => send(urlOf('/200'), { resolve, isPublic, deadlineMs });
    expect(await changing(15_000)).toEqual({ result: 'answered', status: 200 });
    // A refusal takes the whole deadline, which is long enough for a busy machine to connect.
    const deadlineMs = 5_000;
    // Something else than the lookup chose the address.
    let asked = 0;
    const once = { deadlineMs, isPublic: () => ++asked === 1 };
    const refused = await Promise.all([changing(deadlineMs), send(urlOf('/200'), once)]);
    expect([...refused, asked]).toEqual([UNREACHABLE, UNREACHABLE, 2]);
    expect(receiver.received).toHaveLength(before + 1);
  });

  it('isn’t answered by what follows an interim answer', async () => {
    expect(await send(urlOf('/early'), { deadlineMs: 150 })).toEqual(UNREACHABLE);
  });

  it.each(['/hang', '/interim', '/private'])(
    'takes the whole deadline without an answer: %s',
    async (path) => {
      const began = performance.now();
      const isPublic = () => path !== '/private';
      expect(await send(urlOf(path), { deadlineMs: 300, isPublic })).toEqual(UNREACHABLE);
      // A timer can fire a little early.
      expect(performance.now() - began).toBeGreaterThan(295);
    },
  );

  it('looks hosts up without keeping others from it while their name server doesn’t answer', async () => {
    const server = createSocket('udp4');
    const answer = (question: Buffer, port: number, addresses: Uint8Array[], code = 0) => {
      const head = Buffer.from(question);
      head.set([0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0], 2);
      const type = question.subarray(question.length - 4, question.length - 2).toString('hex');
      const records = Buffer.concat(
        addresses.flatMap((address) => [
          Buffer.from(`c00c${type}00010000000000${address.length.toString(16).padStart(2, '0')}`, 'hex'),
          address,
        ]),
      );
      server.send(Buffer.concat([head, records]), port, LOOPBACK);
    };
    const unanswered: [Buffer, number][] = [];
    server.on('message', (question, { port }) => {
      if (!question.includes('hooks')) return unanswered.push([question, port]);
      const isIPv4 = question.readUInt16BE(question.length - 4) === 1;
      if (question.includes('hooks6')) {
        return answer(question, port, isIPv4 ? [] : [Buffer.from(`20010db8${'00'.repeat(11)}01`, 'hex')]);
      }
      return answer(question, port, isIPv4 ? [Uint8Array.of(127, 0, 0, 1)] : []);
    });
    server.bind(0, LOOPBACK);
    await once(server, 'listening');
    const resolve = createResolveHost([`${LOOPBACK}:${server.address().port}`]);
    const slow = Array.from({ length: 16 }, (_, at) => resolve(`h${at}.example`));
    expect(await Promise.race([lookup('localhost').then(() => 'another'), ...slow])).toBe('another');
    expect(await send(urlOf('/200'), { resolve })).toEqual({ result: 'answered', status: 200 });
    expect(await resolve('hooks6.example')).toEqual(['2001:db8::1']);
    for (const [question, port] of unanswered) answer(question, port, [], 3);
    expect(await Promise.all(slow)).toEqual(slow.map(() => []));
    server.close();
  });
});

/** Starts a real HTTPS server on loopback, with a certificate for `hooks.example` that only `ca` makes valid. */
async function startHttpsReceiver(answer: (path: string, response: ServerResponse) => void) {
  const { key, cert: ca } = await certificateOf('hooks.example');
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer({ key, cert: ca }, async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await text(request) });
    answer(path, response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { port, ca, received, connections: () => connections, close };
}
