import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { endServersAfterEach, startHttpApp } from './http-app.ts';

endServersAfterEach();

const PATH = '/api/github/webhooks';
const MIB = 1024 * 1024;
const headers = {
  'content-type': 'application/json',
  'x-github-event': 'push',
  'x-github-delivery': 'one',
  'x-hub-signature-256': `sha256=${'0a'.repeat(32)}`,
};

async function world() {
  const received: string[] = [];
  const app = await startHttpApp({
    receive: async ({ body }) => {
      received.push(body);
      return { outcome: 'duplicate' };
    },
  });
  /** Sends headers that announce a body, and never the body. */
  const announce = (change: Record<string, string | number>): ClientRequest => {
    const outgoing = request(app.origin, { method: 'POST', path: PATH, headers: { ...headers, ...change } });
    outgoing.on('error', () => undefined).flushHeaders();
    return outgoing;
  };
  const statusOf = async (outgoing: ClientRequest) => {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  return { ...app, received, announce, statusOf };
}

describe('a webhook', () => {
  it.each([
    ['has no signature', '', 401],
    ['has a signature of another algorithm', `sha1=${'0a'.repeat(20)}`, 401],
    ['has a signature that is cut', 'sha256=0a', 401],
    ['has a signature that is too long', `sha256=${'0a'.repeat(33)}`, 401],
    ['has a signature in capitals', `sha256=${'0A'.repeat(32)}`, 401],
  ])('that %s is answered without reading its body', async (_what, signature, status) => {
    const w = await world();
    const outgoing = w.announce({ 'x-hub-signature-256': signature, 'content-length': MIB });
    expect(await w.statusOf(outgoing)).toBe(status);
    outgoing.destroy();
    expect(w.received).toEqual([]);
  });

  it('that is sent as a form is refused, because a form has other bytes than were signed', async () => {
    const w = await world();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await w.send('POST', PATH, { headers: { ...headers, ...type }, body: 'payload={}' });
    expect([answer.status, w.received]).toEqual([415, []]);
  });

  it('that is compressed is refused, because a small body could become a huge one', async () => {
    const w = await world();
    const gzip = { ...headers, 'content-encoding': 'gzip' };
    const answer = await w.send('POST', PATH, { headers: gzip, body: gzipSync('{}') });
    expect([answer.status, w.received]).toEqual([415, []]);
  });

  it('that does not say how long it is is refused, because what is read could not be bounded', async () => {
    const w = await world();
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    const answer = await w.send('POST', PATH, { headers: chunked, body: '{}' });
    expect([answer.status, w.received]).toEqual([411, []]);
  });

  it('is read up to the 25 MB that GitHub can send, and no further', async () => {
    const w = await world();
    const body = `"${'x'.repeat(2 * MIB)}"`;
    expect((await w.send('POST', PATH, { headers, body })).status).toBe(200);
    expect(w.received.map(({ length }) => length)).toEqual([body.length]);
    const tooLong = Buffer.alloc(25 * MIB + 1);
    expect((await w.send('POST', PATH, { headers, body: tooLong })).status).toBe(413);
    expect(w.received).toHaveLength(1);
  });

  it('is put off while 100 MB are being read, because unverified senders must not fill the memory', async () => {
    const w = await world();
    const held = Array.from({ length: 4 }, () => w.announce({ 'content-length': 25 * MIB }));
    const next = async () => {
      const { status, headers: answered } = await w.send('POST', PATH, { headers, body: '{}' });
      return [status, answered['retry-after']];
    };
    await untilAnswered(next, 503);
    expect(await next()).toEqual([503, '5']);
    held.pop()?.destroy();
    await untilAnswered(next, 200);
    for (const outgoing of held) outgoing.destroy();
  });
});

/** Headers and ends of connections arrive at the server in their own time. */
async function untilAnswered(ask: () => Promise<unknown[]>, status: number): Promise<void> {
  while ((await ask())[0] !== status) await new Promise((done) => setImmediate(done));
}
