import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { StoreClient } from '../../../../src/adapters/pocketbase/client.ts';
import { createCount } from '../../../../src/adapters/pocketbase/records/count.ts';

/** The store has this many records; each request reads that when it's answered. */
let total: number;
let requests: number;
const records = {
  filter: (filter: string, { org }: { org: string }) => filter.replace('{:org}', org),
  collection: () => ({
    async getList() {
      requests += 1;
      return { totalItems: total };
    },
  }),
};
const client = { run: (work: (of: typeof records) => unknown) => work(records) } as unknown as StoreClient;

beforeEach(() => {
  requests = 0;
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

it('counts a few each time', async () => {
  const count = createCount(client);
  for (total of [1, 5_000]) expect(await count('members', 'org = {:org}', { org: 'a' })).toBe(total);
});

it('remembers many for half a minute, and then answers with them while it counts again', async () => {
  const count = createCount(client);
  const ofOrg = (org: string) => count('members', 'org = {:org}', { org });
  total = 6_000;
  expect(await Promise.all([ofOrg('a'), ofOrg('a'), ofOrg('b')])).toEqual([6_000, 6_000, 6_000]);
  expect(requests).toBe(2);
  total = 7_000;
  jest.advanceTimersByTime(29_000);
  expect([await ofOrg('a'), requests]).toEqual([6_000, 2]);
  jest.advanceTimersByTime(2_000);
  expect([await ofOrg('a'), requests]).toEqual([6_000, 3]);
  await jest.advanceTimersByTimeAsync(0);
  expect([await ofOrg('a'), requests]).toEqual([7_000, 3]);
});
