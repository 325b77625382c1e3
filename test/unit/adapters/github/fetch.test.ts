import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fetchFromGitHub } from '../../../../src/adapters/github/fetch.ts';

const send = fetchFromGitHub(10_000);
let server: Server;
let origin: string;
/** Where GitHub says that the repository is now. */
let location: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url, headers, method } = request;
    if (url === '/silent') return;
    if (url === '/broken') {
      response.writeHead(200, { 'content-length': 100 }).write('{"a":');
      setImmediate(() => response.destroy());
    } else if (url?.startsWith('/repos/')) response.writeHead(301, { location }).end();
    else if (url === '/repositories/2') response.writeHead(301, { location: '/repositories/1' }).end();
    else if (method === 'PATCH') request.pipe(response.writeHead(200, { method }));
    else response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200, { etag: '"1"' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  location = '/repositories/1';
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a repository that was renamed', () => {
  const read = (etag: string) =>
    send(`${origin}/repos/octo-org/hello`, { headers: { 'if-none-match': etag } });

  it('can be unchanged under its new address: that answer is “unchanged”, not “not found”', async () => {
    expect((await read('"old"')).status).toBe(200);
    expect((await read('"1"')).status).toBe(304);
  });

  it('is written to under its new address, with the same method and body', async () => {
    const answer = await send(`${origin}/repos/octo-org/hello`, { method: 'PATCH', body: '{"a":1}' });
    expect([answer.status, await answer.text()]).toEqual([200, '{"a":1}']);
    location = 'http://localhost:1/repositories/1';
    expect((await send(`${origin}/repos/octo-org/hello`, { method: 'PATCH', body: '{}' })).status).toBe(404);
  });

  it('is not found if GitHub redirects twice, or to another host', async () => {
    location = '/repositories/2';
    expect((await read('"1"')).status).toBe(404);
    location = 'http://localhost:1/repositories/1';
    expect((await read('"1"')).status).toBe(404);
  });
});

describe('an answer', () => {
  it('is an error if it breaks off, or doesn’t come in time', async () => {
    await expect(fetchFromGitHub(10_000)(`${origin}/broken`)).rejects.toThrow('terminated');
    await expect(fetchFromGitHub(50)(`${origin}/silent`)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is given up with the reason of who asked', async () => {
    const signal = AbortSignal.abort(new Error('no longer'));
    await expect(fetchFromGitHub(10_000)(`${origin}/silent`, { signal })).rejects.toThrow('no longer');
  });
});
