import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { workerGlobals } from '../support/built.ts';
import { processesOf } from '../support/process-list.ts';
import {
  approveByKey,
  type OwnProduct,
  type Pull,
  type Session,
  startTestProduct,
  until,
} from '../support/product.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let world: OwnProduct;
let pulls: Pull[];
let approved: Pull;
let mona: Session;
let key: SoftwareAuthenticator;
let aheadMs = 0;

beforeAll(async () => {
  const now = () => new Date(workerGlobals.Date.now() + aheadMs);
  world = await startTestProduct({ clock: { now, elapsed: () => performance.now() } });
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
  pulls = await Promise.all(['One', 'Two', 'Three'].map((title) => world.pendingPull(title)));
  approved = await world.pendingPull('Approved');
  await approve(approved);
});
afterEach(() => {
  aheadMs = 0;
});
afterAll(() => world?.stop());

async function approve(pull: Pull): Promise<void> {
  await approveByKey(world, mona, key, pull);
  await until('the green check', async () => (await shown(pull))[0] === 'completed success');
}

/** Runs one reconciliation with the product's clock this many days ahead. */
async function reconcileAhead(days: number): Promise<void> {
  aheadMs = days * DAY_MS;
  expect((await world.reconcile()).faults).toEqual([]);
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

describe('a clock that is an hour wrong for a while', () => {
  const killStore = () =>
    processesOf(`--dir=${world.dataDir}`).forEach((pid) => void process.kill(pid, 'SIGKILL'));
  const isReady = async () => (await fetch(`${world.origin}/readyz`)).status === 200;
  const RealDate = workerGlobals.Date;
  /** Sets the time of the product and of the local GitHub, and of nothing else. */
  const setTime = (ms: number) => {
    const now = () => RealDate.now() + ms;
    workerGlobals.Date = new Proxy(RealDate, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
      get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
    });
  };
  afterEach(() => {
    workerGlobals.Date = RealDate;
  });

  it.each([
    ['ahead', 60 * 60_000],
    ['behind', -60 * 60_000],
  ])('leaves nothing behind that outlives it: %s', async (way, ms) => {
    setTime(ms);
    const during = await world.pendingPull(`While the clock is ${way}`);
    await approve(during);
    expect(await isReady()).toBe(true);

    setTime(0);
    const after = await world.pendingPull(`After the clock was ${way}`);
    await approve(after);
    expect((await world.reconcile()).faults).toEqual([]);
    // Readiness is an answer of two seconds ago at most.
    await until('it to say that its store is away', async () => {
      killStore();
      return !(await isReady());
    });
    await until('it to say that its store is back', isReady);
  });
});

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
