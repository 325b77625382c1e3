import { describe, expect, it } from '@jest/globals';
import { sessionKey } from '../../../src/people/session.ts';
import { endServersAfterEach, mona, SESSION, startHttpApp } from './http-app.ts';

endServersAfterEach();

const RECORD = '/api/collections/webauthn/records/aaaaaaaaaaaaaaa';
/** Sent through our own proxy, which adds the sender's address to what the sender claims. */
const from = (address: string, authorization = '') => ({
  headers: { authorization, 'x-forwarded-for': `203.0.113.9, ${address}` },
});

describe('calls of strangers in a minute', () => {
  it('are refused from the 1,201st on, with and without made-up tokens, and shut out nobody who is signed in', async () => {
    const w = await startHttpApp({ trustProxy: 1 });
    const made = { key: 'http:calls:address:198.51.100.1', most: 1_200, ms: 60_000, cost: 1_180 };
    await w.limits.take([made]);
    const counts: Record<number, number> = {};
    const flood = Array.from({ length: 60 }, async (_, at) => {
      const token = at % 2 === 0 ? '' : `made-up-${at}`;
      const { status } = await w.send('POST', '/logout', from('198.51.100.1', token));
      counts[status] = (counts[status] ?? 0) + 1;
    });
    await Promise.all(flood);
    expect(counts).toEqual({ 401: 20, 429: 40 });
    const before = w.stage.calls.length;
    const refused = await w.send('POST', '/logout', from('198.51.100.1'));
    expect(refused).toMatchObject({ status: 429, headers: { 'cache-control': 'no-store' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(w.stage.calls).toHaveLength(before);
    expect((await w.send('DELETE', RECORD, from('198.51.100.1'))).status).toBe(429);
    const health = async () => (await w.send('GET', '/api/health', from('198.51.100.1'))).status;
    expect(await health()).toBe(200);
    const own = { key: 'http:record-store:address:198.51.100.1', most: 1_200, ms: 60_000 };
    await w.limits.take([{ ...own, cost: 1_199 }]);
    expect(await health()).toBe(429);
    expect((await w.send('POST', '/logout', from('198.51.100.2'))).status).toBe(401);
    expect((await w.send('POST', '/logout', from('198.51.100.1', SESSION))).status).toBe(200);
    // After this many tokens of one address, only the call itself reads one.
    await w.limits.take([{ key: 'tokens:198.51.100.2', most: 3_000, ms: 60_000, cost: 3_000 }]);
    w.stage.calls.splice(0);
    await w.send('POST', '/logout', from('198.51.100.2', 'made-up'));
    expect(w.stage.calls).toHaveLength(1);
  });
});

describe('a session with more than 120 calls of a kind in a minute', () => {
  it('is refused before any work, from any address, and neither are other sessions nor its logout', async () => {
    const w = await startHttpApp({ trustProxy: 1 });
    w.sessions.open.set('other', { userId: 'hubot', githubId: 12, login: 'hubot' });
    const body = { type: 'register-authenticator', org: 'octo-org', orgID: 9 };
    const key = sessionKey(SESSION);
    await w.limits.take([
      { key: `call:/webauthn-challenge:session:${key}`, most: 120, ms: 60_000, cost: 110 },
      { key: `http:calls:session:${key}`, most: 1_200, ms: 60_000, cost: 1_180 },
    ]);
    const ask = (token: string, at: number) =>
      w.send('POST', '/webauthn-challenge', { ...from(`198.51.100.${at}`, token), body });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(SESSION, at)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    expect((await ask('other', 1)).status).toBe(404);
    expect((await w.send('POST', '/logout', from('198.51.100.1', SESSION))).status).toBe(200);
    w.sessions.open.set('next', mona);
    expect([(await ask(SESSION, 1)).status, (await ask('next', 1)).status]).toEqual([429, 404]);
  });
});

describe('all sessions of a person together', () => {
  it('have a limit of their own, so that many tokens of a thief don’t add up', async () => {
    const w = await startHttpApp();
    w.sessions.open.set('fresh', mona);
    await w.limits.take([{ key: 'http:record-store:person:mona', most: 2_400, ms: 60_000, cost: 2_400 }]);
    const answer = await w.send('GET', '/api/health', { headers: { authorization: 'fresh' } });
    expect(answer.status).toBe(429);
  });

  it('make a limited number of deletions of authenticators in a minute', async () => {
    const w = await startHttpApp();
    const statuses = new Set<number>();
    for (let at = 0; at <= 30; at += 1) {
      const { status } = await w.send('DELETE', RECORD, { headers: { authorization: SESSION } });
      statuses.add(status);
      if (at === 29) expect(statuses).not.toContain(429);
    }
    expect(statuses).toContain(429);
  });
});
