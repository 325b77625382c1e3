import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { type FaultWorld, SHORT_WAITS, startFaultWorld } from '../support/fault-world.ts';
import {
  approvalOptions,
  type Pull,
  registerPasskey,
  type Session,
  targetOf,
  until,
} from '../support/product.ts';

/** The product may make so few runs at a time that the others wait in it; each waits for less than a claim holds. */
const AT_A_TIME = 2;
const WRITES = { perRefill: { normal: AT_A_TIME, express: 30 }, refillMs: 8_000, patienceMs: 1_500 };
const OPENED = 6;
const PATIENCE_MS = 60_000;

let world: FaultWorld;
let mona: Session;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  world = await startFaultWorld({ waits: { ...SHORT_WAITS, writes: WRITES }, sweepWaits: SHORT_WAITS });
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
}, 60_000);
beforeEach(async () => {
  world.process.start();
  await world.process.ready();
});
afterEach(() => world.proxy.calm());
afterAll(() => world?.stop(), 30_000);

const shown = async ({ head }: Pull) =>
  (await world.ownRuns('hello', head.sha, 'latest')).map(({ status, conclusion }) => conclusion ?? status);

async function approve(pull: Pull): Promise<number> {
  const params = targetOf(world, pull);
  const { options } = await approvalOptions(world, mona, params);
  const body = { params, authResponse: key.get(options), accessToken: mona.accessToken };
  return (await world.call('/github-check-webauthn', body, mona)).status;
}

describe('the right to make a run', () => {
  it('passes to the next sweep when the process that held it was killed', async () => {
    await world.proxy.outage('hangs', /^POST .*\/check-runs/);
    const pull = await world.openPull('Its run is being made');
    await until('the product to make it', async () => (world.proxy.faults['down: hangs'] ?? 0) > 0);
    await world.process.stop('SIGKILL');
    await world.proxy.calm();
    const { report } = await world.sweep();
    expect(report.faults).toEqual([]);
    expect(await shown(pull)).toEqual(['in_progress']);
  }, 60_000);

  it('leads to no second run that nobody completes when the process that held it was slow', async () => {
    const pulls: Pull[] = [];
    for (let at = 0; at < OPENED; at += 1) pulls.push(await world.openPull(`Of a burst, ${at}`));
    const without = async () => {
      const all = await Promise.all(pulls.map(shown));
      return pulls.filter((_, at) => all[at]?.length === 0);
    };
    await until('the first of the burst', async () => (await without()).length < OPENED, PATIENCE_MS);
    const late = await without();
    expect(late).not.toEqual([]);
    // Another process finds that the first one takes too long.
    await until(
      'every run',
      async () => (await world.sweep()).report.faults.length === 0 && (await without()).length === 0,
      PATIENCE_MS,
    );
    for (const pull of late) expect([await approve(pull), await shown(pull)]).toEqual([200, ['success']]);
    // From here on the first process could send what it wanted to write before.
    const after = await world.openPull('After it');
    await until('the first process to write', async () => (await shown(after)).length > 0, PATIENCE_MS);
    expect(await Promise.all(late.map(shown))).toEqual(late.map(() => ['success']));
  }, 180_000);
});
