import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import type { Outage } from '../support/fault-proxy.ts';
import { addBranch, type FaultWorld, SHORT_WAITS, startFaultWorld } from '../support/fault-world.ts';
import {
  type Answer,
  approvalOptions,
  type ParamsAnswer,
  type Pull,
  type Session,
  targetOf,
  until,
} from '../support/product.ts';
import { codeFor, exchange } from '../support/sign-in.ts';
import { LONG_PATIENCE_MS } from '../support/until.ts';

const UNAVAILABLE = /^[A-Z][^\n<>{}]{10,200}$/;
const PENDING = ['in_progress', null];

let world: FaultWorld;
let mona: Session;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  world = await startFaultWorld({ waits: { ...SHORT_WAITS, watchEveryMs: 1_000 } });
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
});

afterEach(() => world.proxy.calm());
afterAll(() => world?.stop());

/** Prepares an approval; the returned function sends it, also several times. */
async function readyToApprove(pull: Pull): Promise<() => Promise<Answer>> {
  const params = targetOf(world, pull);
  const { options }: ParamsAnswer = await approvalOptions(world, mona, params);
  const body = { params, authResponse: key.get(options), accessToken: mona.accessToken };
  return () => world.call('/github-check-webauthn', body, mona);
}

async function shown({ head }: Pull): Promise<unknown[]> {
  const [run] = await world.ownRuns('hello', head.sha, 'latest');
  return [run?.status, run?.conclusion];
}

const untilGreen = (pull: Pull) =>
  until(
    'the check to turn green by itself',
    async () => (await shown(pull))[1] === 'success',
    LONG_PATIENCE_MS,
  );

describe('while every webhook is lost, the product', () => {
  it('takes green away when an approved pull request gets another base', async () => {
    const pull = await world.pendingPull('To another branch');
    const approve = await readyToApprove(pull);
    expect((await approve()).status).toBe(200);
    await untilGreen(pull);
    await addBranch(world, '/repos/octo-org/hello', 'release');
    world.proxy.storm({ webhooks: { drop: 1 } });
    await world.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${pull.number}`, { base: 'release' });
    const isPending = async () => (await shown(pull))[0] === 'in_progress';
    await until('the check to wait again', isPending, LONG_PATIENCE_MS);
  });
});

describe('while GitHub is down, the product', () => {
  // Every request, with every fault: test/webhooks/every-request.test.ts.
  it.each<Outage>(['refuses', 'hangs'])(
    'refuses an approval with a clear sentence, and accepts the same one later (outage: %s)',
    async (kind) => {
      const pull = await world.pendingPull(`While it ${kind}`);
      const approve = await readyToApprove(pull);
      await world.proxy.outage(kind);
      const refused = await approve();
      expect([refused.status, refused.text]).toEqual([502, expect.stringMatching(UNAVAILABLE)]);
      expect(await shown(pull)).toEqual(PENDING);

      await world.proxy.calm();
      expect((await approve()).status).toBe(200);
      await untilGreen(pull);
    },
  );

  it.each<Outage>(['refuses', '502'])(
    'keeps a stored approval, and turns the check green when GitHub is back (outage: %s)',
    async (kind) => {
      const pull = await world.pendingPull(`Stored before it ${kind}`);
      const approve = await readyToApprove(pull);
      await world.proxy.outage(kind, /^(POST|PATCH) .*\/check-runs/);
      const answer = await approve();
      expect([answer.status, answer.json<{ reported: boolean }>().reported]).toEqual([200, false]);
      expect(await shown(pull)).toEqual(PENDING);

      const { starts } = world.process;
      await world.proxy.outage(kind);
      await world.proxy.calm();
      await untilGreen(pull);
      expect(world.process.starts).toBe(starts);
    },
  );

  it('claims no refusal at a sign-in, which works later', async () => {
    const product = { origin: world.proxy.publicUrl, github: world.github };
    const code = await codeFor(product, 'mona');
    await world.proxy.outage('502');
    const answer = await exchange(product, code);
    const sentence = "GitHub refused this sign-in, or didn't answer. Sign in again.";
    expect([answer.status, answer.text]).toEqual([401, sentence]);
    await world.proxy.calm();
    expect((await exchange(product, code)).status).toBe(200);
  });
});

describe('while the App is suspended, the product', () => {
  const path = () => `/app/installations/${world.github.facts.installation}`;

  it('keeps a stored approval until the App is resumed', async () => {
    const pull = await world.pendingPull('Unreported while the App is suspended');
    const approve = await readyToApprove(pull);
    await world.proxy.outage('502', /^(POST|PATCH) .*\/check-runs/);
    const answer = await approve();
    expect([answer.status, answer.json<{ reported: boolean }>().reported]).toEqual([200, false]);
    await world.asApp('PUT', `${path()}/suspended`);
    await world.proxy.calm();
    await world.sweep();
    expect(await shown(pull)).toEqual(PENDING);
    await world.asApp('DELETE', `${path()}/suspended`);
    await untilGreen(pull);
  });
});

describe('after the App is uninstalled, the product', () => {
  // This test is the last one, because nothing restores the installation.
  it('refuses approvals, stays up, and leaves other pull requests pending', async () => {
    const pull = await world.pendingPull('While the App is gone');
    const approve = await readyToApprove(pull);
    const unreported = await world.pendingPull('Unreported while the App is gone');
    const approveUnreported = await readyToApprove(unreported);
    await world.proxy.outage('502', /^(POST|PATCH) .*\/check-runs/);
    expect((await approveUnreported()).status).toBe(200);
    await world.asApp('DELETE', `/app/installations/${world.github.facts.installation}`);
    await world.proxy.calm();
    // Until the webhook is processed, the refusal may be another one, but it is always a refusal.
    const refused = await until('the final refusal', async () => {
      const answer = await approve();
      expect(answer.status).toBeGreaterThanOrEqual(400);
      return answer.status < 500 && answer;
    });
    expect([refused.status, refused.text]).toEqual([404, expect.stringMatching(UNAVAILABLE)]);
    const { report } = await world.sweep();
    expect(report.repaired).toEqual([]);
    expect([await shown(pull), await shown(unreported)]).toEqual([PENDING, PENDING]);
    expect((await fetch(`${world.proxy.publicUrl}/healthz`)).status).toBe(200);
  });
});
