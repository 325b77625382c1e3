import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from 'otpauth';
import { listOf, ownRecord, registerCodes, registerKey } from '../support/account.ts';
import { CodeApp } from '../support/authenticator.ts';
import {
  approveBy,
  type Pull,
  type Session,
  startTestProduct,
  type TestProduct,
  targetOf,
} from '../support/product.ts';

const STEP_MS = 30_000;

describe('one-time codes', () => {
  let product: TestProduct;
  let now = Date.now();
  let mona: Session;
  const app = CodeApp.withoutRepeats(now - 2 * STEP_MS, 250);

  beforeAll(async () => {
    product = await startTestProduct({ clock: { now: () => new Date(now) } });
    mona = await product.signIn('mona');
  });

  afterAll(() => product?.stop());

  /** The code that the app shows, `steps` from now. */
  const code = (steps = 0) => app.codeAt(now + steps * STEP_MS);
  /** Moves the time on, until no used code is valid. */
  const later = (steps = 3) => {
    now += steps * STEP_MS;
  };

  const approve = (pull: Pull, otp: unknown, session = mona, target: object = {}) =>
    product.call(
      '/github-totp-check',
      { ...targetOf(product, pull), ...target, otp, accessToken: session.accessToken },
      session,
    );

  const isPending = async (pull: Pull) =>
    expect((await product.runs(pull.head.sha)).map(({ status }) => status)).toEqual(['in_progress']);

  it('registers an app once, and never shows its secret again', async () => {
    const first = code();
    const answer = await registerCodes(product, mona, { app, code: first });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{15}$/),
      label: 'mona@octo-org/github',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const [record] = await listOf(product, mona, 'totps');
    expect(record).toMatchObject({ label: 'mona@octo-org/github' });
    expect(record).not.toHaveProperty('secret');
    expect((await ownRecord(product, mona)).authenticators).toEqual({
      [product.github.facts.orgID]: { totp: true, webauthn: [] },
    });
    expect((await registerCodes(product, mona, { app: new CodeApp(), code: first })).status).toBe(403);
    const used = await approve(await product.pendingPull(), first);
    expect([used.status, used.text]).toEqual([403, 'This code was already used. Wait for the next one.']);
  });

  it('completes the check with a code, and the check says that a code was used', async () => {
    later();
    const pull = await product.pendingPull();
    const answer = await approve(pull, code());
    expect(answer.json()).toEqual({ redirect: pull.html_url, reported: true, passed: true, needs: null });
    const [run] = await product.runs(pull.head.sha);
    expect(run).toMatchObject({ conclusion: 'success' });
    expect(run?.output.summary).toContain(' with a one-time code, on ');
  });

  it('accepts the code of an independent implementation', async () => {
    later();
    const at = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
    const other = execFileSync('oathtool', ['--totp', '--base32', `--now=${at} UTC`, app.base32], {
      encoding: 'utf8',
    }).trim();
    expect((await approve(await product.pendingPull(), other)).status).toBe(200);
  });

  it('refuses a code of an earlier time step than the last one used', async () => {
    later(5);
    const [pull, other] = [await product.pendingPull(), await product.pendingPull()];
    const [before, next] = [code(-1), code(1)];
    expect((await approve(pull, next)).status).toBe(200);
    const answer = await approve(other, before);
    expect([answer.status, answer.text]).toEqual([403, 'This code was already used. Wait for the next one.']);
    await isPending(other);
  });

  it('accepts a code once if it comes many times at the same moment, and locks nothing', async () => {
    later(5);
    const pull = await product.pendingPull();
    const once = code();
    const answers = await Promise.all(Array.from({ length: 6 }, () => approve(pull, once)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
    later();
    expect((await approve(await product.pendingPull(), code())).status).toBe(200);
  });

  it('locks after five wrong codes, in each session, while a passkey still works', async () => {
    later(5);
    const octocat = await product.signIn('octocat');
    const own = new CodeApp();
    expect((await registerCodes(product, octocat, { app: own, code: own.codeAt(now) })).status).toBe(200);
    later(5);
    const { key } = await registerKey(product, octocat, {
      stepUp: { type: 'register-authenticator', otp: own.codeAt(now) },
    });
    later(5);
    const pull = await product.pendingPull();
    const wrong = () => approve(pull, own.wrongCodeAt(now), octocat);
    for (let tries = 0; tries < 5; tries += 1) expect((await wrong()).status).toBe(403);
    const locked = await approve(pull, own.codeAt(now), octocat);
    expect([locked.status, locked.text]).toEqual([
      429,
      'Too many wrong codes. Try again in 5 minutes, or use a passkey.',
    ]);
    expect(Number(locked.headers.get('retry-after'))).toBe(300);
    const again = await product.signIn('octocat');
    expect((await approve(pull, own.codeAt(now), again)).status).toBe(429);
    await isPending(pull);

    expect((await approveBy(product, octocat, key, pull)).status).toBe(200);

    now += 301_000;
    const other = await product.pendingPull();
    expect((await approve(other, own.codeAt(now), octocat)).status).toBe(200);
  });

  it('writes no secret of an app in plain text to any file', () => {
    const raw = Buffer.from(Secret.fromBase32(app.base32).buffer);
    const encodings = ['latin1', 'hex', 'base64', 'base64url'] as const;
    const forms = [app.base32, ...encodings.map((encoding) => raw.toString(encoding))];
    const files = readdirSync(product.dataDir, { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && file.name !== 'types.d.ts',
    );
    expect(files.some(({ name }) => name === 'data.db')).toBe(true);
    for (const { parentPath, name } of files) {
      const content = readFileSync(join(parentPath, name), 'latin1');
      expect([name, forms.filter((form) => content.includes(form))]).toEqual([name, []]);
    }
    expect(product.log.join('')).not.toContain(app.base32);
  });
});
