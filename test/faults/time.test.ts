import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { workerGlobals } from '../support/built.ts';
import {
  approveByKey,
  type OwnProduct,
  type Pull,
  type Session,
  startTestProduct,
  until,
} from '../support/product.ts';
import { processesOf } from '../support/running.ts';

let world: OwnProduct;
let mona: Session;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  const now = () => new Date(workerGlobals.Date.now());
  world = await startTestProduct({ clock: { now, elapsed: () => performance.now() } });
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
});
afterAll(() => world?.stop());

async function approve(pull: Pull): Promise<void> {
  await approveByKey(world, mona, key, pull);
  await until('the green check', async () =>
    (await world.runs(pull.head.sha)).some(({ conclusion }) => conclusion === 'success'),
  );
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
