import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { readConfig } from '../../src/config.ts';
import type { Product } from '../../src/product.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub, startProduct } from '../support/built.ts';
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
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: origin });
  const config = readConfig({ ...github.env, PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir });
  if (!config.github) throw new Error('the local GitHub has no App');
  world = { ...clientOf({ origin, github }), dataDir, github, log: [], stop: async () => undefined };
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const dashboardDir = resolve('dist/web');
  product = await startProduct({ ...config, github: config.github }, { log: silent, dashboardDir, clock });
  await product.firstRound;
  const mona = await world.signIn('mona');
  const key = await registerPasskey(world, mona);
  pulls = await Promise.all(['One', 'Two', 'Three'].map((title) => world.pendingPull(title)));
  approved = await world.pendingPull('Approved');
  const params = targetOf(world, approved);
  const { options } = await approvalOptions(world, mona, params);
  const body = { params, authResponse: key.get(options), accessToken: mona.accessToken };
  await world.call('/github-check-webauthn', body, mona);
  await until('the green check', async () => (await shown(approved))[0] === 'completed success');
});
afterEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await product?.stop();
  await github?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs one reconciliation with the product's clock this many days ahead. */
async function reconcileAhead(days: number): Promise<void> {
  aheadMs = days * DAY_MS;
  expect((await product?.reconcile())?.faults).toEqual([]);
}

/** The App's check runs on the head, newest first. */
async function shown({ head }: Pull): Promise<string[]> {
  const runs = await world.runs(head.sha);
  return runs
    .sort((one, other) => other.id - one.id)
    .map(({ status, conclusion }) => (conclusion ? `${status} ${conclusion}` : status));
}
const goStale = ({ head }: Pull) => world.asAdmin('POST', '/_local/stale', { head: head.sha });
const all = () => Promise.all(pulls.map(shown));

/**
 * The record store's clock doesn't move ahead, so a product that is two weeks ahead considers even a new run old. With
 * the real time, no more runs are created.
 */
async function expectNoMore(): Promise<void> {
  const before = await all();
  await reconcileAhead(0);
  expect(await all()).toEqual(before);
}

describe('a check run that is pending for weeks', () => {
  it('stays as it is for twelve days', async () => {
    const before = await all();
    await reconcileAhead(12);
    expect(await all()).toEqual(before);
  });

  it('is replaced by a new one before GitHub marks it as stale', async () => {
    await reconcileAhead(13.5);
    for (const runs of await all()) expect(runs.slice(0, 2)).toEqual(['in_progress', 'in_progress']);
    await expectNoMore();
  });

  it('is replaced after it went stale while the product was stopped', async () => {
    for (const pull of pulls) await goStale(pull);
    await reconcileAhead(28);
    for (const runs of await all()) {
      expect(runs[0]).toBe('in_progress');
      expect(runs.at(-1)).toBe('completed stale');
    }
    await expectNoMore();
  });

  it('is not created for a pull request whose check has passed', async () => {
    await goStale(approved);
    await reconcileAhead(45);
    expect(await shown(approved)).toEqual(['completed success']);
  });
});
