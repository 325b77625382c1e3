import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pMap from 'p-map';
import { asApp } from '../support/account.ts';
import { type FaultWorld, SHORT_WAITS, startFaultWorld } from '../support/fault-world.ts';
import { until } from '../support/product.ts';
import { send } from '../support/send.ts';

const VAULT = '/repos/octo-org/vault';
const PULLS = 12;
/** Each reconciliation is a process, which starts slowly on a busy machine. */
const SET_UP_MS = 240_000;

let world: FaultWorld;
beforeAll(async () => {
  const each = { perMinute: 200, perHour: 1_000 };
  const writes = { most: { takeAway: each, approval: each, completion: each, other: each } };
  world = await startFaultWorld({ hasVault: true, waits: { ...SHORT_WAITS, writes } });
  const numbers = Array.from({ length: PULLS - 1 }, (_, index) => index);
  await pMap(numbers, (at) => world.openPullIn('vault', { branch: `change-${at}` }), { concurrency: 2 });
  world.process.start();
  await world.process.ready();
  await until('a round without a fault', isQuiet, SET_UP_MS);
  await world.process.stop();
}, SET_UP_MS * 2);
afterAll(() => world?.stop());

const isQuiet = async () => {
  const { repaired, faults } = (await world.sweep()).report;
  return repaired.length + faults.length === 0;
};
const runOf = async (head: string) => (await world.ownRuns('vault', head, 'latest'))[0];

async function writeRun(token: string, id: number | undefined, body: object): Promise<void> {
  const { status } = await send(`${world.github.origin}${VAULT}/check-runs/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

/** A token as who has the App's key gets one. */
async function appToken(): Promise<string> {
  const path = `/app/installations/${world.github.facts.installation}/access_tokens`;
  return (await asApp<{ token: string }>(world, 'POST', path)).token;
}

describe('a private repository, whose commits GitHub hides from an App that may not read code', () => {
  it('has every one of 12 wrong runs mended by one reconciliation, 6 forged successes among them', async () => {
    const heads = (await world.openPulls('vault')).map(({ head }) => head.sha);
    expect(heads).toHaveLength(PULLS);
    const token = await appToken();
    for (const [at, head] of heads.entries()) {
      const run = await runOf(head);
      const forged = { status: 'completed', conclusion: 'success' };
      if (at % 2) await world.asAdmin('POST', '/_local/stale', { head });
      else await writeRun(token, run?.id, forged);
    }
    const { report } = await world.sweep();
    expect(report.faults).toEqual([]);
    expect(report.repaired.map((at) => (at as { head?: string }).head).sort()).toEqual([...heads].sort());
    const statuses = await Promise.all(heads.map(async (head) => (await runOf(head))?.status));
    expect(statuses).toEqual(heads.map(() => 'in_progress'));
    expect(await isQuiet()).toBe(true);
  });
});
