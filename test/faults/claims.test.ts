import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import {
  approvalOptions,
  type Pull,
  registerPasskey,
  type Session,
  targetOf,
  until,
} from '../support/product.ts';

/** GitHub takes so many new runs a minute from one process of the product. */
const BURST = 50;
const WAITING = 4;

let world: FaultWorld;
let mona: Session;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  world = await startFaultWorld({});
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
}, 60_000);
afterEach(() => world.proxy.calm());
afterAll(() => world.stop(), 30_000);

const shown = async ({ head }: Pull) =>
  (await world.ownRuns('hello', head.sha, 'latest')).map(({ status, conclusion }) => conclusion ?? status);

async function approve(pull: Pull): Promise<number> {
  const params = targetOf(world, pull);
  const { options } = await approvalOptions(world, mona, params);
  const body = { params, authResponse: key.get(options), accessToken: mona.accessToken };
  return (await world.call('/github-check-webauthn', body, mona)).status;
}

describe('the right to make a run', () => {
  beforeEach(async () => {
    world.process.start();
    await world.process.ready();
  });

  it('that a killed process held is taken over by the next sweep', async () => {
    await world.proxy.outage('hangs', /^POST .*\/check-runs/);
    const pull = await world.openPull('Its run is being made');
    await until('the product to make it', async () => (world.proxy.faults['down: hangs'] ?? 0) > 0);
    await world.process.stop();
    await world.proxy.calm();
    const { report } = await world.sweep();
    expect(report.faults).toEqual([]);
    expect(await shown(pull)).toEqual(['in_progress']);
  }, 60_000);

  it('that a slow process holds makes no second run that nobody completes', async () => {
    // More at once than GitHub takes: the last ones wait in the product for the next minute.
    const pulls: Pull[] = [];
    for (let at = 0; at < BURST + WAITING; at += 1) pulls.push(await world.openPull(`Of a burst, ${at}`));
    const without = async () => {
      const all = await Promise.all(pulls.map(shown));
      return pulls.filter((_, at) => all[at]?.length === 0);
    };
    // The product may have made some before, and this many wait: no more come now.
    const stays = async () => {
      const before = (await without()).length;
      await new Promise((go) => setTimeout(go, 1_000));
      return before <= 2 * WAITING && (await without()).length === before;
    };
    await until('the burst', stays, 30_000);
    const late = await without();
    // Another process finds that whoever makes these takes too long.
    await until('their runs', async () => (await world.sweep()).report.faults.length === 0, 50_000);
    for (const pull of late) expect([await approve(pull), await shown(pull)]).toEqual([200, ['success']]);
    // The minute is over, and the first process writes again what it wanted to write before.
    const after = await world.openPull('After it');
    await until('the first process to write', async () => (await shown(after)).length > 0, 70_000);
    expect(await Promise.all(late.map(shown))).toEqual(late.map(() => ['success']));
  }, 200_000);
});
