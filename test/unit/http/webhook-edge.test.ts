import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import {
  createPayloadMemory,
  INTAKE_LIMITS,
  type Intake,
  type IntakeLimits,
} from '../../../src/http/webhook-intake.ts';
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

/** On a busy machine a test's own requests must not fall behind. */
const PATIENT = { deadlineMs: 120_000 };

/** @param waits What the check of each webhook's signature waits for, and the answer after it. */
async function world(
  limits: Partial<IntakeLimits> = {},
  waits: { check?: Promise<void>; answer?: Promise<void> } = {},
) {
  const received: string[] = [];
  let shed = 0;
  const app = await startHttpApp({
    webhooks: {
      receive: async ({ body, onSigned }) => {
        received.push(body);
        await waits.check;
        onSigned?.();
        await waits.answer;
        return { outcome: 'duplicate' };
      },
      onShed() {
        shed += 1;
      },
      intakeLimits: { ...INTAKE_LIMITS, ...PATIENT, ...limits },
    },
  });
  /** Sends headers that announce a body, and leaves sending it to the test. */
  const announce = (change: Record<string, string | number>, localAddress = '127.0.0.1'): ClientRequest => {
    const options = { method: 'POST', path: PATH, headers: { ...headers, ...change }, localAddress };
    const outgoing = request(app.origin, options);
    outgoing.on('error', () => undefined).flushHeaders();
    return outgoing;
  };
  const statusOf = async (outgoing: ClientRequest) => {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  /** Waits until this many requests have reached the server, with at least this many bytes each. */
  const arrived = (count: number, bytes = 0) =>
    soon(() => app.requests.filter(({ socket }) => socket.bytesRead >= bytes).length === count);
  const bytesRead = () => app.requests.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
  return { ...app, received, shed: () => shed, announce, statusOf, arrived, bytesRead };
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

  it.each<[string, Record<string, string>, string | Buffer, number]>([
    [
      'is sent as a form, which has other bytes than were signed',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'payload={}',
      415,
    ],
    ['is compressed, and could become huge', { 'content-encoding': 'gzip' }, gzipSync('{}'), 415],
    ['doesn’t say how long it is, so that it has no bounds', { 'transfer-encoding': 'chunked' }, '{}', 411],
  ])('is refused if it %s', async (_what, change, body, status) => {
    const w = await world();
    const answer = await w.send('POST', PATH, { headers: { ...headers, ...change }, body });
    expect([answer.status, w.received]).toEqual([status, []]);
  });

  it('is read up to the 25 MB that GitHub can send, and no further', async () => {
    const w = await world();
    const body = `"${'x'.repeat(2 * MIB)}"`;
    expect((await w.send('POST', PATH, { headers, body })).status).toBe(200);
    expect(w.received.map(({ length }) => length)).toEqual([body.length]);
    // It's answered although none of it was sent.
    expect(await w.statusOf(w.announce({ 'content-length': 25 * MIB + 1 }))).toBe(413);
    expect([w.received.length, w.shed()]).toEqual([1, 0]);
  });

  it.each([0, 1, MIB - 1])(
    'that isn’t complete at the deadline is dropped: %d bytes of 1 MiB',
    async (bytes) => {
      const w = await world({ deadlineMs: 100 });
      const slow = w.announce({ 'content-length': MIB });
      if (bytes > 0) slow.write(Buffer.alloc(bytes));
      expect(await w.statusOf(slow)).toBe(503);
      await soon(() => slow.socket?.destroyed === true);
      expect([w.shed(), w.received]).toEqual([1, []]);
    },
  );

  it('that arrived by the deadline is not dropped while its signature is checked', async () => {
    let check: () => void = () => undefined;
    const w = await world({ deadlineMs: 300 }, { check: new Promise((done) => (check = done)) });
    const complete = w.announce({ 'content-length': 2 });
    complete.end('{}');
    await soon(() => w.received.length === 1);
    // The deadline of a later one is later.
    expect(await w.statusOf(w.announce({ 'content-length': 2 }))).toBe(503);
    check();
    expect([await w.statusOf(complete), w.shed()]).toEqual([200, 1]);
  });

  it('doesn’t count any more once its signature is valid, however long the store takes', async () => {
    let store: () => void = () => undefined;
    const w = await world({ mostBytes: MIB }, { answer: new Promise((stored) => (store = stored)) });
    const body = Buffer.alloc(0.6 * MIB, ' ');
    const first = w.announce({ 'content-length': body.length }).end(body);
    await soon(() => w.received.length === 1);
    const second = w.announce({ 'content-length': body.length }).end(body);
    await soon(() => w.received.length === 2);
    const statuses = Promise.all([w.statusOf(first), w.statusOf(second)]);
    store();
    expect([await statuses, w.shed()]).toEqual([[200, 200], 0]);
  });

  it('makes room if its address holds the most, the payload that began first, and no other address is affected', async () => {
    const w = await world({ mostBytes: 1.75 * MIB });
    const slow = w.announce({ 'content-length': MIB }, '127.0.0.2');
    const neighbour = w.announce({ 'content-length': MIB }, '127.0.0.3');
    for (const outgoing of [slow, neighbour]) outgoing.write(Buffer.alloc(MIB / 2));
    await w.arrived(2, MIB / 2);
    const fast = w.announce({ 'content-length': MIB }, '127.0.0.2');
    fast.end(Buffer.alloc(MIB));
    expect([await w.statusOf(slow), await w.statusOf(fast)]).toEqual([503, 200]);
    neighbour.end(Buffer.alloc(MIB / 2));
    expect([await w.statusOf(neighbour), w.shed()]).toEqual([200, 1]);
  });

  it('is taken although others fill the memory: the address that holds the most makes room', async () => {
    const w = await world({ mostBytes: 4 * MIB });
    const held = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((from, at) => {
      const outgoing = w.announce({ 'content-length': 2 * MIB }, from);
      outgoing.write(Buffer.alloc(at === 1 ? 2 * MIB - 1 : MIB));
      return outgoing;
    });
    const body = `"${'x'.repeat(MIB / 8)}"`;
    const [dropped] = await Promise.all([
      w.statusOf(held[1] as ClientRequest),
      soon(() => w.bytesRead() >= 4 * MIB - 1).then(() => w.send('POST', PATH, { headers, body })),
    ]);
    expect([dropped, w.received.length, w.shed()]).toEqual([503, 1, 1]);
    for (const outgoing of held) outgoing.destroy();
  });
});

describe('the memory for payloads', () => {
  /**
   * What a memory of 10 bytes drops while these pieces arrive, such as `a1:5` of 5 bytes: the first payload of the sender
   * `a`. A payload with `!` is complete.
   */
  const droppedOf = (pieces: string) => {
    const memory = createPayloadMemory(10);
    const dropped: string[] = [];
    const intakes = new Map<string, Intake>();
    const begin = (name: string) => {
      const drop = () => {
        dropped.push(name);
        memory.remove(intake);
      };
      const intake: Intake = { sender: name.charAt(0), received: 0, isComplete: name.endsWith('!'), drop };
      intakes.set(name, intake);
      memory.add(intake);
      return intake;
    };
    for (const piece of pieces.split(' ')) {
      const [name = '', bytes] = piece.split(':');
      memory.receive(intakes.get(name) ?? begin(name), Number(bytes));
    }
    return dropped.join(' ');
  };

  it.each([
    ['nothing that fits', 'a1:5 b1:5', ''],
    ['the first payload of the sender that holds the most', 'a1:2 b1:4 b2:4 c1:1', 'b1'],
    ['as many as it takes', 'a1:3 a2:3 b1:3 a3:9', 'a1 a2 a3'],
    ['none that is complete, because its signature is checked next', 'a1!:8 b1:4', 'b1'],
    ['none of which nothing arrived', 'a1:0 a2:8 b1:4', 'a2'],
    ['nothing for what still arrives of a dropped one', 'a1:8 b1:4 a1:8 b2:6', 'a1'],
  ])('drops %s', (_what, pieces, dropped) => {
    expect(droppedOf(pieces)).toBe(dropped);
  });
});

/** Headers, bodies and ends of connections arrive in their own time. */
async function soon(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setImmediate(done));
}
