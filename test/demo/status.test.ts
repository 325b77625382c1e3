import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { status } from '../../src/cli/status.ts';
import type { StatusBlock } from '../../src/contract/status.ts';
import { runHere } from '../support/run-here.ts';
import { world } from './one-world.ts';

const REPO = '/repos/octo-org/hello';
const OURS = 314159;
const REF = 'octo-org/hello#1';

let folder: string;
let ours: string;
let head: string;
/** A server that publishes our App's number, until it's closed. */
let server: Server;
let origin: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
  ours = await world.installationToken();
  head = (await world.call('GET', `${REPO}/pulls/1`)).json.head.sha;
  server = createServer((_req, res) => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ host: origin, version: '1', keys: [], app: OURS }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** Runs the command in a folder without anything; time only passes in its pauses, in which `during` happens. */
async function run(
  ref: string,
  options: object,
  {
    env: more = {},
    during = async () => undefined as unknown,
  }: { env?: object; during?(): Promise<unknown> } = {},
) {
  const { GITHUB_API_URL = '', GITHUB_SERVER_URL = '' } = world.github.env as Record<string, string>;
  const token = { GITHUB_TOKEN: world.github.facts.adminToken };
  const env = { GITHUB_API_URL, GITHUB_SERVER_URL, ...token, HOME: folder, PATH: '', ...more };
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
    await during();
  };
  const timing = { sleep, elapsed: () => now, random: () => 0.5 };
  const work = async () => {
    process.exitCode = await status(ref, options, env as Record<string, string>, timing);
  };
  const cwd = mkdtempSync(join(folder, 'cwd-'));
  const found = await runHere(work, { env: env as Record<string, string>, folder: cwd });
  expect(readdirSync(cwd)).toEqual([]);
  expect(found.out + found.err).not.toContain(world.github.facts.adminToken);
  return { ...found, ms: now };
}

const byNumber = { appId: String(OURS) };

const textOf = (block: Partial<StatusBlock>) => {
  const rules = [{ name: 'main', met: false, missing: '1 approval from an owner' }];
  const approval = 'https://guard.example.org/collect?pr=1';
  const rest = {
    base: 'main',
    pulls: [],
    rules,
    denied: null,
    approval,
    retryAfter: 60,
    note: 'Only a person.',
  };
  return `\`\`\`json\n${JSON.stringify({ otpGuard: 1, head, ...rest, ...block })}\n\`\`\``;
};

/** Posts a run as an App does. */
async function post(token: string, values: object, block: Partial<StatusBlock> = { state: 'waiting' }) {
  const output = { title: 'A title', summary: 'A summary.', text: textOf(block) };
  const body = { name: 'OTP Guard', head_sha: head, status: 'in_progress', output, ...values };
  const answer = await world.call('POST', `${REPO}/check-runs`, { token, body });
  expect(answer.status).toBe(201);
  return answer.json.id as number;
}
const SUCCESS = { status: 'completed', conclusion: 'success' };

async function anotherApp(): Promise<string> {
  const path = '/_local/organizations/octo-org/installations';
  const asAdmin = (method: string, at: string, body?: object) =>
    world.call(method, at, { token: world.github.facts.adminToken, body });
  const { json } = await asAdmin('POST', path, { app_slug: 'ci', permissions: { checks: 'write' } });
  return (await asAdmin('POST', `${path}/${json.id}/tokens`)).json.token;
}

describe('otp-guard status', () => {
  it('ends with 6 without a run of ours, even if another App has a green one of the name', async () => {
    expect((await run(REF, byNumber)).code).toBe(6);
    await post(await anotherApp(), SUCCESS, { state: 'passed' });
    const { code, out } = await run(REF, byNumber);
    expect([code, out]).toEqual([6, expect.stringContaining('has no check run of this App')]);
  });

  it('ends with 3 while ours waits, next to another App’s newer green run, and names the page', async () => {
    await post(ours, {});
    await post(await anotherApp(), SUCCESS, { state: 'passed' });
    const { code, out } = await run(REF, byNumber);
    expect([code, out.split('\n')]).toEqual([
      3,
      [
        `${REF} at ${head.slice(0, 8)} waits for a person’s approval.`,
        'main: 1 approval from an owner',
        'A person approves in a browser: https://guard.example.org/collect?pr=1',
        '',
      ],
    ]);
    const json = JSON.parse((await run(REF, { ...byNumber, json: true })).out);
    expect(json).toMatchObject({
      repository: 'octo-org/hello',
      number: 1,
      state: 'waiting',
      head,
      pull: 'open',
      movedFrom: null,
      block: { otpGuard: 1, state: 'waiting' },
    });
  });

  it('waits until the run passes, and ends with 0 within 35 seconds after it', async () => {
    const id = await post(ours, {});
    let pauses = 0;
    const during = async () => {
      pauses += 1;
      if (pauses === 3) await world.call('PATCH', `${REPO}/check-runs/${id}`, { token: ours, body: SUCCESS });
    };
    const { code, out, ms } = await run(REF, { ...byNumber, wait: '5m' }, { during });
    expect([code, out]).toEqual([0, `${REF} at ${head.slice(0, 8)} passed.\n`]);
    expect(ms).toBeLessThanOrEqual(3 * 33_000);
    const never = await run(REF, { ...byNumber, wait: '2m' });
    expect([never.code, never.ms]).toEqual([0, 0]);
  });

  it('ends with 4 if a person denied the commit, without waiting for another', async () => {
    await post(
      ours,
      { status: 'completed', conclusion: 'action_required' },
      {
        state: 'denied',
        denied: { by: 'octocat', reason: 'drops a table' },
      },
    );
    const { code, out, ms } = await run(REF, { ...byNumber, wait: '5m' });
    expect([code, out, ms]).toEqual([4, expect.stringContaining('octocat denied octo-org/hello#1'), 0]);
    expect(out).toContain(': drops a table\n');
  });

  it('ends with 3 when the time has ended', async () => {
    await post(ours, {});
    const { code, ms } = await run(REF, { ...byNumber, wait: '2m' });
    expect([code, ms <= 120_000, ms > 80_000]).toEqual([3, true, true]);
  });

  it('learns the App’s number from the server once, and answers without it from then on', async () => {
    await post(ours, {});
    expect((await run(REF, { origin })).code).toBe(3);
    const file = join(folder, '.config/otp-guard/apps.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ origin, app: OURS }]);
    await new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
    expect((await run(REF, { origin })).code).toBe(3);
    expect((await run(REF, {})).code).toBe(3);
    const elsewhere = await run(REF, {}, { env: { GITHUB_SERVER_URL: 'https://github.example.org' } });
    expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('Give --origin')]);
  });

  it('keeps nothing of an App’s number that was given', async () => {
    await run(REF, byNumber);
    expect(readdirSync(folder).filter((name) => !name.startsWith('cwd-'))).toEqual([]);
  });

  it.each<[string, string, object, object, RegExp]>([
    ['without a pull request’s name', 'hello', {}, {}, /OWNER\/REPO#NUMBER/],
    ['with an odd time', REF, { wait: '30' }, {}, /--wait/],
    ['with more than a day', REF, { wait: '25h' }, {}, /--wait/],
    ['without an App', REF, { appId: undefined }, {}, /--app-id/],
    ['with an odd one', REF, { appId: 'x' }, {}, /--app-id/],
    ['with an address without TLS', REF, { appId: undefined, origin: 'http://guard.test' }, {}, /https/],
    ['without a token', REF, {}, { GITHUB_TOKEN: '' }, /GITHUB_TOKEN/],
    ['with a token that GitHub refuses', REF, {}, { GITHUB_TOKEN: 'no' }, /token/],
    ['with an unknown pull request', 'octo-org/hello#999', {}, {}, /doesn’t show/],
    ['without GitHub', REF, {}, { GITHUB_API_URL: 'http://localhost:9' }, /can’t be reached/],
  ])('ends with 2 %s', async (_what, ref, options, env, says) => {
    const { code, out, err } = await run(ref, { ...byNumber, ...options }, { env });
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(says) });
  });
});
