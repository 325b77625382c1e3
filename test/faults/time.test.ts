import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config.ts';
import { type LocalGitHub, startLocalGitHub } from '../../src/demo/local-github.ts';
import { type Product, startProduct } from '../../src/product.ts';
import {
  approvalOptions,
  clientOf,
  freePort,
  type Pull,
  registerPasskey,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { silent } from '../support/product-over-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let github: LocalGitHub | undefined;
let product: Product | undefined;
let dataDir: string;
let world: TestProduct;
let pulls: Pull[];
let approved: Pull;
let aheadMs = 0;

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-time-'));
  github = await startLocalGitHub({ port: 0, publicUrl: origin });
  const config = readConfig({ ...github.env, PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir });
  if (!config.github) throw new Error('the local GitHub has no App');
  world = { ...clientOf({ origin, github }), dataDir, github, log: [], stop: async () => undefined };
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const dashboardDir = resolve('dist/web');
  product = await startProduct({ ...config, github: config.github }, { log: silent, dashboardDir, clock });
  await product.covered;
  const mona = await world.signIn('mona');
  const key = await registerPasskey(world, mona);
  pulls = await Promise.all(['One', 'Two', 'Three'].map((title) => world.pendingPull(title)));
  approved = await world.pendingPull('Approved');
  const params = targetOf(world, approved);
  const { options } = await approvalOptions(world, mona, params);
  const body = { params, authResponse: key.get(options), accessToken: mona.accessToken };
  await world.call('/github-check-webauthn', body, mona);
  await until('the green check', async () => (await shown(approved))[0] === 'completed success');
}, 60_000);
afterEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await product?.stop();
  await github?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The product looks at every open pull request as it does so many days later. */
async function roundAhead(days: number): Promise<void> {
  aheadMs = days * DAY_MS;
  expect((await product?.sweep())?.faults).toEqual([]);
}

/** Our runs on the head, the newest first, in words. */
async function shown({ head }: Pull): Promise<string[]> {
  const runs = await world.runs(head.sha);
  return runs
    .sort((one, other) => other.id - one.id)
    .map(({ status, conclusion }) => (conclusion ? `${status} ${conclusion}` : status));
}
const goStale = ({ head }: Pull) => world.asAdmin('POST', '/_local/stale', { head: head.sha });
const all = () => Promise.all(pulls.map(shown));

/**
 * The record store has the clock of the machine: a run that is new to it is old to a product that is two weeks ahead,
 * and one that is looked at twice in such a round is made twice. At the machine's own time no more come.
 */
async function expectNoMore(): Promise<void> {
  const before = await all();
  await roundAhead(0);
  expect(await all()).toEqual(before);
}

describe('a run that waits for weeks', () => {
  it('is left alone as long as GitHub leaves it alone', async () => {
    const before = await all();
    await roundAhead(12);
    expect(await all()).toEqual(before);
  }, 30_000);

  it('has a new one in its place before GitHub lets it go stale', async () => {
    await roundAhead(13.5);
    for (const runs of await all()) expect(runs.slice(0, 2)).toEqual(['in_progress', 'in_progress']);
    await expectNoMore();
  }, 30_000);

  it('that went stale while the product was away has a new one as soon as it is back', async () => {
    for (const pull of pulls) await goStale(pull);
    await roundAhead(28);
    for (const runs of await all()) {
      expect(runs[0]).toBe('in_progress');
      expect(runs.at(-1)).toBe('completed stale');
    }
    await expectNoMore();
  }, 30_000);

  it('is no business of one that has passed', async () => {
    await goStale(approved);
    await roundAhead(45);
    expect(await shown(approved)).toEqual(['completed success']);
  }, 30_000);
});
