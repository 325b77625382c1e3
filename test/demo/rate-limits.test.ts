import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { fakeDate } from '../support/fake-date.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await startWorld({
    requestsPerHour: 12,
    contentPerMinute: 2,
    contentPerHour: 3,
    queryMsPerMinute: 0.001,
  });
  fakeDate();
});
afterEach(() => {
  // Every test begins with a fresh hour.
  jest.setSystemTime(Date.now() + 3_700_000);
});
afterAll(async () => {
  jest.useRealTimers();
  await world.close();
});

const runs = '/repos/octo-org/hello/check-runs';
const body = { name: 'OTP Guard', head_sha: 'f'.repeat(40) };
/** A content-creating request counts even if GitHub refuses what it says. */
const create = () => world.call('POST', runs, { token, body });
const read = () => world.call('GET', '/installation/repositories', { token });
const kinds = () => world.github.rateLimits.violations().map(({ kind }) => kind);
const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);

describe('the rate limits of an installation at the local GitHub', () => {
  it('refuse content for a minute, and count each request that does not wait', async () => {
    token = await world.installationToken();
    expect([(await create()).status, (await create()).status]).toEqual([422, 422]);
    const refused = await create();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
    expect(refused.json.message).toMatch(/secondary rate limit/);
    expect((await read()).status).toBe(200);
    pass(59_000);
    expect((await create()).headers.get('retry-after')).toBe('1');
    expect(kinds()).toEqual(['over-limit', 'too-early']);
    pass(2_000);
    expect((await create()).status).toBe(422);
    // The fourth in this hour.
    expect(Number((await create()).headers.get('retry-after'))).toBeGreaterThan(60);
    expect(kinds()).toHaveLength(3);
    const other = await world.installationToken(world.github.facts.otherInstallation);
    expect((await world.call('POST', runs, { token: other, body })).headers.get('retry-after')).toBeNull();
  });

  it('count no query as content, but the time that it takes', async () => {
    token = await world.installationToken();
    const query = () => world.call('POST', '/graphql', { token, body: { query: '{ __typename }' } });
    const before = kinds().length;
    expect((await query()).status).toBe(200);
    const refused = await query();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
    expect(refused.json.message).toMatch(/secondary rate limit/);
    expect(kinds().slice(before)).toEqual(['over-limit']);
    expect([(await create()).status, (await create()).status]).toEqual([422, 422]);
    pass(61_000);
    expect((await query()).status).toBe(200);
  });

  it('are shown by every response, and count no response 304', async () => {
    token = await world.installationToken();
    const first = await read();
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-ratelimit-limit': '12',
      'x-ratelimit-remaining': '11',
      'x-ratelimit-used': '1',
      'x-ratelimit-resource': 'core',
    });
    expect(Number(first.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const same = await world.call('GET', '/installation/repositories', { token, headers });
    expect([same.status, same.headers.get('x-ratelimit-remaining')]).toEqual([304, '11']);
    for (let count = 0; count < 11; count += 1) await read();
    const refused = await read();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, null]);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused.json.message).toMatch(/^API rate limit exceeded for installation ID/);
  });
});
