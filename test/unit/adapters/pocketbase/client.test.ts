import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { createStoreClient } from '../../../../src/adapters/pocketbase/client.ts';

const IN_2999 = 32_472_144_000;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const TOKEN = `${part({ alg: 'HS256' })}.${part({ exp: IN_2999 })}.signature`;

it('signs in again after the store did not answer, as it may be another one by then', async () => {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const url = String(request.url);
    asked.push(url);
    if (url.endsWith('/auth-with-password'))
      answer.end(JSON.stringify({ token: TOKEN, record: { id: 'us' } }));
    else if (url.endsWith('/broken')) request.socket.destroy();
    else answer.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createStoreClient({ url, email: 'us@example.org', password: 'a password' });
    const get = (path: string) => client.run((records) => records.send(path, { method: 'GET' }));
    await get('/first');
    await get('/second');
    await expect(get('/broken')).rejects.toMatchObject({ code: 'storeUnavailable' });
    await get('/third');
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const signIn = '/api/collections/_superusers/auth-with-password';
  expect(asked).toEqual([signIn, '/first', '/second', '/broken', signIn, '/third']);
});

it('waits for a store that hangs until a deadline, and not longer', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createStoreClient({ url, email: 'us@example.org', password: 'a' }, { answerMs: 20 });
    const asked = client.run((records) => records.send('/first', { method: 'GET' }));
    await expect(asked).rejects.toMatchObject({ code: 'storeUnavailable' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('ends the deadline of a request with its answer, so that it keeps nothing of the request', async () => {
  const signals: AbortSignal[] = [];
  const send = jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    if (init?.signal) signals.push(init.signal);
    return Response.json({ token: TOKEN, record: { id: 'us' } });
  });
  try {
    const address = { url: 'http://127.0.0.1:1', email: 'us@example.org', password: 'a' };
    const client = createStoreClient(address, { answerMs: 200 });
    await client.run((records) => records.send('/first', { method: 'GET' }));
  } finally {
    send.mockRestore();
  }
  await once(AbortSignal.timeout(200), 'abort');
  expect(signals.at(-1)?.aborted).toBe(false);
});
