import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { type FaultWorld, SHORT_WAITS, startFaultWorld } from '../support/fault-world.ts';
import { approveByKey, type Pull, type Session, until } from '../support/product.ts';
import { LONG_PATIENCE_MS } from '../support/until.ts';

/** So few that the other writes wait in the product, each for less time than a claim lasts. */
const AT_A_TIME = 2;
const most = (perMinute: number) => ({ perMinute, perHour: 400 });
const WRITES = {
  most: { takeAway: most(30), approval: most(30), completion: most(30), other: most(AT_A_TIME) },
  minuteMs: 8_000,
  patienceMs: 1_500,
};
const OPENED = 4;

let world: FaultWorld;
let mona: Session;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  world = await startFaultWorld({ waits: { ...SHORT_WAITS, writes: WRITES }, sweepWaits: SHORT_WAITS });
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
});
afterAll(() => world?.stop());

const shown = async ({ head }: Pull) =>
  (await world.ownRuns('hello', head.sha, 'latest')).map(({ status, conclusion }) => conclusion ?? status);

describe('the claim to create a check run', () => {
  it('never leads to a second check run that stays pending after the process that held it was slow', async () => {
    const pulls: Pull[] = [];
    for (let index = 0; index < OPENED; index += 1) pulls.push(await world.openPull(`Of a burst, ${index}`));
    const withoutRun = async () => {
      const all = await Promise.all(pulls.map(shown));
      return pulls.filter((_, index) => all[index]?.length === 0);
    };
    await until('the first of the burst', async () => (await withoutRun()).length < OPENED, LONG_PATIENCE_MS);
    const waiting = await withoutRun();
    expect(waiting).not.toEqual([]);
    // Another process takes over, because the first one is too slow.
    await until(
      'all check runs',
      async () => (await world.sweep()).report.faults.length === 0 && (await withoutRun()).length === 0,
      LONG_PATIENCE_MS,
    );
    for (const pull of waiting) {
      await approveByKey(world, mona, key, pull);
      await until('its success', async () => (await shown(pull)).join() === 'success', LONG_PATIENCE_MS);
    }
    // Now the first process can send writes again. It mustn't send the ones that it gave up.
    const after = await world.openPull('After it');
    await until('the first process to write', async () => (await shown(after)).length > 0, LONG_PATIENCE_MS);
    expect(await Promise.all(waiting.map(shown))).toEqual(waiting.map(() => ['success']));
  });
});
