import { describe, expect, it } from '@jest/globals';
import { rateLimits } from '../../../src/http/rate-limits.ts';
import { endServersAfterEach, SESSION, startHttpApp } from './http-app.ts';

endServersAfterEach();

const LIMIT = 1200;
const RECORD = '/api/collections/webauthn/records/aaaaaaaaaaaaaaa';

/** Counts all requests that an address may send in a minute, without sending them. */
async function useUp(limit: (typeof rateLimits)['calls'], address: string): Promise<void> {
  const request = { ip: address, headers: {}, app: { get: () => 1 } };
  let passed = 0;
  const next = (error?: unknown) => {
    if (error === undefined) passed += 1;
  };
  for (let count = 0; count < LIMIT; count += 1) await limit(request as never, {} as never, next);
  expect(passed).toBe(LIMIT);
}

describe('a rate limit', () => {
  /** Sends through our own proxy, which adds the sender's address to what the sender claims. */
  const send = async (method: string, path: string, address: string) => {
    const w = await startHttpApp({ trustProxy: 1 });
    const headers = { authorization: SESSION, 'x-forwarded-for': `203.0.113.9, ${address}` };
    return { ...(await w.send(method, path, { headers })), work: w.stage.calls };
  };

  it('refuses the 1201st call of a minute before any work, even if its sender claims another address', async () => {
    await useUp(rateLimits.calls, '198.51.100.1');
    const { status, headers, work } = await send('POST', '/logout', '198.51.100.1');
    expect([status, headers['cache-control'], work]).toEqual([429, 'no-store', []]);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await send('POST', '/logout', '198.51.100.2')).status).toBe(200);
  });

  it('counts deletions among the calls, and reads of records on their own', async () => {
    await useUp(rateLimits.calls, '198.51.100.3');
    expect((await send('DELETE', RECORD, '198.51.100.3')).status).toBe(429);
    expect((await send('GET', '/api/health', '198.51.100.3')).status).toBe(200);
    await useUp(rateLimits.recordStore, '198.51.100.4');
    expect((await send('GET', '/api/health', '198.51.100.4')).status).toBe(429);
    expect((await send('POST', '/logout', '198.51.100.4')).status).toBe(200);
  });
});
