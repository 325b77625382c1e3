import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp, listOf, orgOf, proofBy, registerCodes, registerKey } from '../support/authenticators.ts';
import { startTwoProcesses, type TwoProcesses } from '../support/processes.ts';
import {
  type Answer,
  approvalOptions,
  type Session,
  type TestProduct,
  targetOf,
} from '../support/product.ts';

const ROUNDS = 5;
const STEP_MS = 30_000;
const REGISTER = { type: 'register-authenticator' } as const;

/** Two processes of the product share a record store and a Redis, and nothing else. */
describe('two identical requests at the same instant, to two processes that started together', () => {
  let processes: TwoProcesses;
  let mona: Session;
  let key: SoftwareAuthenticator;
  let aheadMs = 0;
  const app = new CodeApp();

  beforeAll(async () => {
    processes = await startTwoProcesses();
    mona = await processes.one.signIn('mona');
    key = (await registerKey(processes.one, mona, { key: new SoftwareAuthenticator(processes.one.origin) }))
      .key;
    const stepUp = await proofBy(processes.one, mona, key, REGISTER);
    const registered = await registerCodes(processes.one, mona, {
      app,
      code: app.codeAt(Date.now()),
      stepUp,
    });
    expect(registered.status).toBe(200);
  }, 60_000);

  afterAll(() => processes?.stop(), 30_000);

  /** Time goes on, in both, to where no code that was used can be meant. */
  async function later(): Promise<string> {
    aheadMs += 5 * STEP_MS;
    await processes.ahead(aheadMs);
    return app.codeAt(Date.now() + aheadMs);
  }

  const both = (send: (product: TestProduct) => Promise<Answer>) =>
    Promise.all([send(processes.one), send(processes.two)]);
  const succeeded = (answers: Answer[]) => answers.filter(({ status }) => status < 300).length;

  it('approve once, by an assertion', async () => {
    const pull = await processes.one.pendingPull();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { options } = await approvalOptions(processes.one, mona, targetOf(processes.one, pull));
      const body = {
        params: targetOf(processes.one, pull),
        authResponse: key.get(options),
        accessToken: mona.accessToken,
      };
      const answers = await both((product) => product.call('/github-check-webauthn', body, mona));
      expect([round, succeeded(answers)]).toEqual([round, 1]);
    }
    expect(await processes.one.runs(pull.head.sha)).toHaveLength(1);
  });

  it('approve once, by a code', async () => {
    const pull = await processes.one.pendingPull();
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { ...targetOf(processes.one, pull), otp: await later(), accessToken: mona.accessToken };
      const answers = await both((product) => product.call('/github-totp-check', body, mona));
      expect([round, succeeded(answers)]).toEqual([round, 1]);
    }
  });

  it('register once, and delete once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const made = new SoftwareAuthenticator(processes.one.origin);
      const params = { label: `Round ${round}`, type: 'security-key', ...orgOf(processes.one) };
      const asked = await processes.one.call(
        '/github-register-authenticator-params',
        { ...params, accessToken: mona.accessToken },
        mona,
      );
      const body = {
        params,
        pkCreds: made.create(asked.json<{ options: { challenge: string } }>().options),
        stepUp: await proofBy(processes.one, mona, key, REGISTER),
        accessToken: mona.accessToken,
      };
      const registered = await both((product) => product.call('/github-register-passkey', body, mona));
      expect([round, succeeded(registered)]).toEqual([round, 1]);
      const stored = (await listOf(processes.one, mona, 'webauthn')).filter(
        (record) => record.key_id === made.id,
      );
      expect(stored).toHaveLength(1);

      const id = String(stored[0]?.id);
      const proof = await proofBy(processes.one, mona, key, {
        type: 'delete-authenticator',
        authenticatorID: id,
      });
      const deleted = await both((product) => product.remove('webauthn', id, mona, proof));
      expect([round, succeeded(deleted)]).toEqual([round, 1]);
    }
  });

  it('end a session in both', async () => {
    const hubot = await processes.one.signIn('hubot');
    const call = (product: TestProduct) => product.call('/github-check-webauthn-params', {}, hubot);
    expect((await both(call)).map(({ status }) => status)).toEqual([400, 400]);
    expect(succeeded(await both((product) => product.call('/logout', {}, hubot)))).toBeGreaterThan(0);
    expect((await both(call)).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('count the calls of a person together', async () => {
    const hubot = await processes.one.signIn('hubot');
    const body = { id: 'a'.repeat(15), type: 'security-key', label: 'Another name' };
    const renames = Array.from({ length: 8 }, () =>
      both((product) => product.call('/github-edit-authenticator', body, hubot)),
    );
    const statuses = (await Promise.all(renames)).flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
  });
});
