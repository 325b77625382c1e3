import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { logPart } from '../../src/approvals/check-run/write.ts';
import { audit } from '../../src/cli/audit.ts';
import { readGitHubCheckpoints } from '../../src/cli/github-checkpoints.ts';
import { verify } from '../../src/cli/verify.ts';
import { checkGitHubRequest } from '../support/github-openapi.ts';
import { PROGRAM } from '../support/program.ts';
import { runHere } from '../support/run-here.ts';
import { HOST, TestLog } from '../support/test-log.ts';
import { addApproval, addDenial, addDeployment, addRejection } from '../support/test-receipt.ts';

const SHA = 'ab'.repeat(20);
const APP = 4242;
const KEYS = { keys: 'keys.json' };
const log = new TestLog();
const receipt = addApproval(log)();
const denial = addDenial(new TestLog(log.key))();
const deployment = addDeployment(new TestLog(log.key))();
const rejection = addRejection(new TestLog(log.key))();
const rewritten = log.fork(3);
while (rewritten.entries.length < log.entries.length)
  rewritten.add('webauthnCollect', { sha: SHA, repo: 'hello' });

/** The local server's answer to a path; it's GitHub's API and an OTP Guard. */
let answers: Record<string, { status?: number; headers?: Record<string, string>; body?: unknown }> = {};
const listOf = (check_runs: object[]) => ({ total_count: check_runs.length, check_runs });
const requests: IncomingMessage[] = [];
const problems: string[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  const { method = '' } = request;
  const url = (request.url ?? '').replace(/^\/api\/v3(?=\/)/, '');
  if (!url.startsWith('/.well-known/')) problems.push(...checkGitHubRequest({ method, url }));
  const {
    status = 200,
    headers = {},
    body = [],
  } = answers[new URL(url, 'http://x').pathname] ?? { status: 404 };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
});
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const files = {
    'keys.json': { ...log.keyList, app: APP },
    'receipt.json': log.envelope(receipt),
    'receipts.json': { receipts: [log.envelope(receipt)] },
    'denied.json': { receipts: [log.envelope(receipt), log.envelope(denial)] },
    'deployed.json': log.envelope(deployment),
    'rejected.json': { receipts: [log.envelope(deployment), log.envelope(rejection)] },
    'other.json': { ...log.envelope(receipt), payload: 'AAAA' },
    'export.json': log.export(),
    'rewritten.json': rewritten.export(),
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  // As a person copies it from an e-mail.
  writeFileSync(join(folder, 'checkpoint.txt'), `Log:\r\n${log.checkpoint().trim()}`);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const SERVER = /node_modules\/(probot|express|pocketbase)\/|^\.\.\/(config|assemble|product)\.js$/;

/** The paths of the modules in the program's files that these coverages name. A comment in a file begins each. */
function modulesLoadedBy(coverages: string[]): string[] {
  const { result } = JSON.parse(readFileSync(coverages[0] ?? '', 'utf8')) as { result: { url: string }[] };
  const files = result.flatMap(({ url }) => (url.includes('/dist/program/') ? fileURLToPath(url) : []));
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\t*\/\/(?:#region)? ?(\.\.\/\S+)$/gm)].map(
      ([, name = '']) => name,
    ),
  );
}

/** Runs the program in an empty environment, in a folder without settings. */
async function run(args: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args.split(' ')], { cwd: folder, env });
  const read = async (stream: NodeJS.ReadableStream) => {
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text;
  };
  const done = new Promise((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([read(child.stdout), read(child.stderr), done]);
  return { out, err, code };
}

describe('otp-guard', () => {
  it('verifies a receipt offline, without settings and without loading the server', async () => {
    const coverage = join(folder, 'coverage');
    const valid = await run('verify receipt.json --keys keys.json --checkpoint checkpoint.txt', {
      NODE_V8_COVERAGE: coverage,
    });
    expect(valid).toMatchObject({ code: 0, err: '' });
    expect(valid.out).toContain(
      'proved   signature: The key of mona (GitHub account 11) signed exactly commit abab',
    );
    const modules = modulesLoadedBy(readdirSync(coverage).map((name) => join(coverage, name)));
    expect(modules).toContain('../proofs/verify-receipt.js');
    expect(modules.filter((name) => SERVER.test(name))).toEqual([]);
    expect(readFileSync(PROGRAM, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('fits the help of every command into 80 columns', async () => {
    const { out, code } = await run('--help');
    expect(code).toBe(0);
    const names = [...out.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(['start', 'rotate-signing-key', 'person', 'audit']));
    const others = await Promise.all([...names, 'person forget'].map((name) => run(`help ${name}`)));
    const lines = [out, ...others.map((help) => help.out)].join('\n').split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each<[file: string, options: Parameters<typeof verify>[1], code: number, says: RegExp]>([
    // Nobody who goes on after 0 takes a denial for an approval.
    ['denied.json', KEYS, 4, /receipt 2, denial: This is a denial.*\n(?:.*\n)+Valid, with a denial\./],
    ['deployed.json', KEYS, 0, /deployment: This is an approval of a deployment, which approves no pull/],
    ['rejected.json', KEYS, 4, /receipt 2, rejection: This is a .*\n(?:.*\n)+Valid, with a rejection\./],
    ['other.json', KEYS, 1, /FAILED {3}server: No key of the published list signed/],
    [
      'receipt.json',
      {},
      2,
      /^receipt\.json can’t be checked .* Add --origin https:\/\/guard\.example\.org, or/,
    ],
    [
      'receipts.json',
      { json: true },
      2,
      /^receipts\.json can’t be checked .* only if you know that it’s yours/,
    ],
    ['keys.json', {}, 2, /^keys\.json can’t be checked .* Add --origin <the server’s address>, or/],
    ['receipt.json', { keys: 'receipt.json' }, 2, /isn’t a published key list/],
    ['receipt.json', { ...KEYS, checkpoint: '.' }, 2, /isn’t a file/],
    ['checkpoint.txt', KEYS, 1, /isn’t JSON/],
    ['receipt.json', { keys: 'none.json' }, 2, /There is no file none\.json/],
    ['receipt.json', { origin: 'http://guard.test' }, 2, /begins with https/],
  ])('verify %s %j: %d', async (file, options, code, says) => {
    const work = async () => {
      process.exitCode = await verify(file, options);
    };
    const answer = await runHere(work, { folder });
    expect([answer.code, answer.out + answer.err]).toEqual([code, expect.stringMatching(says)]);
  });

  it.each<[file: string, options: Parameters<typeof audit>[1], code: number, says: RegExp]>([
    [
      'export.json',
      {},
      2,
      /^export\.json can’t be checked .* Add --origin https:\/\/guard\.example\.org, or/,
    ],
    ['export.json', { ...KEYS, checkpoint: ['checkpoint.txt'] }, 0, /1 checkpoint from elsewhere matches/],
    [
      'rewritten.json',
      { ...KEYS, checkpoint: ['checkpoint.txt'] },
      1,
      /differs from what checkpoint.txt shows/,
    ],
    [
      'export.json',
      { ...KEYS, checkpoint: ['checkpoint.txt', 'receipt.json'] },
      0,
      /2 checkpoints from elsewhere match/,
    ],
    ['export.json', { ...KEYS, github: 'hello' }, 2, /owner\/repository/],
  ])('audit %s %j: %d', async (file, options, code, says) => {
    const answer = await runHere(() => audit([file], options, {}), { folder });
    expect([answer.code, answer.out + answer.err]).toEqual([code, expect.stringMatching(says)]);
  });

  it.each<[args: string, code: number, says: RegExp]>([
    [
      '--version',
      0,
      /^\d+\.\d+\.\d+ \(commit ([0-9a-f]{40}(-dirty-[0-9a-f]{12})?|unknown-[0-9a-f]{12})\)\n$/,
    ],
    ['bakup', 2, /unknown command 'bakup'\s+\(Did you mean backup\?\)/],
    ...[
      'sweep',
      'backup',
      'doctor',
      'rotate-key',
      'rotate-signing-key',
      'restore receipt.json',
      'restore --check receipt.json',
      'confirm-owner octo-org mona',
      'person forget mona',
    ].map((args): [string, number, RegExp] => [
      args,
      2,
      /^There is no OTP Guard in \S+: there are no settings/,
    ]),
  ])('%s: %d', async (args, code, says) => {
    const answer = await run(args);
    expect([answer.code, answer.out + answer.err]).toEqual([code, expect.stringMatching(says)]);
    expect(readdirSync(folder)).not.toContain('data');
  });

  it('ends quietly if the program that reads its output ends first', async () => {
    const child = spawn('sh', [
      '-c',
      '"$0" "$1" --help | true; "$0" "$1" audit --help | true',
      process.execPath,
      PROGRAM,
    ]);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    expect([await new Promise((done) => child.once('close', done)), err]).toEqual([0, '']);
  });

  it('fetches the key list from the server itself, and follows no redirect', async () => {
    const list = '/.well-known/otp-guard.json';
    const auditHere = () => runHere(() => audit(['export.json'], { origin }, {}), { folder });
    answers = { [list]: { body: { ...log.keyList, host: origin } } };
    expect((await auditHere()).code).toBe(0);
    answers = { [list]: { body: log.keyList } };
    expect(await auditHere()).toMatchObject({
      code: 2,
      err: expect.stringContaining('shows the key list of'),
    });
    answers = { [list]: { status: 302, headers: { location: '/keys' } }, '/keys': { body: log.keyList } };
    expect(await auditHere()).toMatchObject({ code: 2, err: expect.stringContaining('can’t be read') });
    expect(requests.map(({ url }) => url)).not.toContain('/keys');
  });

  it('runs every example of its help as it stands there', async () => {
    // The address in the examples is the local server's.
    const preload = `const send = fetch;
      globalThis.fetch = (url, init) => send(String(url).replace('${HOST}', '${origin}'), init);`;
    const env = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
      GITHUB_API_URL: `${origin}/api/v3`,
    };
    const summary = `\`\`\`\n${log.checkpoint()}\`\`\`\n`;
    answers = {
      '/.well-known/otp-guard.json': { body: log.keyList },
      '/repos/octo-org/hello/pulls': {},
      [`/repos/octo-org/hello/commits/${SHA}/check-runs`]: {
        body: listOf([{ output: { summary } }]),
      },
    };
    const { out } = await run('--help');
    expect(out).toMatch(/Back up and restore:[\s\S]*restore[\s\S]*Exits\s+with 0 if it worked/);
    const found: Record<string, number> = {};
    for (const command of ['verify', 'audit']) {
      const help = await run(`${command} --help`);
      for (const [, args = ''] of help.out.matchAll(/^ {2}otp-guard (.+)$/gm)) {
        expect({ args, ...(await run(args, env)) }).toMatchObject({ args, code: 0, err: '' });
        found[command] = (found[command] ?? 0) + 1;
      }
    }
    expect(found).toEqual({ verify: 2, audit: 2 });
  });

  it('compares a log with the checkpoints on GitHub’s check runs', async () => {
    const summary = `Approved.\n\n${logPart({ size: 5, note: log.checkpoint() })}`;
    const check_runs = [{ output: { summary }, html_url: 'https://github.test/runs/1' }];
    const runs = `/repos/octo-org/hello/commits/${SHA}/check-runs`;
    answers = { '/repos/octo-org/hello/pulls': {}, [runs]: { body: listOf(check_runs) } };
    const env = { GITHUB_SERVER_URL: origin, GITHUB_TOKEN: 'ghp_secret' };
    const auditHere = (file: string) =>
      runHere(() => audit([file], { ...KEYS, github: 'octo-org/hello', json: true }, env), { folder });
    requests.splice(0);
    const intact = await auditHere('export.json');
    expect([intact.code, JSON.parse(intact.out)]).toMatchObject([0, { valid: true, differs: null }]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('token ghp_secret'));
    expect(requests.filter(({ url }) => !url?.startsWith('/api/v3/repos/'))).toEqual([]);
    const found = await auditHere('rewritten.json');
    expect([found.code, JSON.parse(found.out)]).toMatchObject([
      1,
      { valid: false, differs: { from: 1, to: 5 } },
    ]);
    expect(found.out).toContain('GitHub (https://github.test/runs/1)');
    // Another key's checkpoint proves nothing in a stranger's check run, and in the App's own that keys were exchanged.
    const other = new TestLog();
    other.add('vouch');
    const auditWith = async (app: object) => {
      const byOther = { output: { summary: other.checkpoint() }, html_url: null, app };
      answers[runs] = { body: listOf([...check_runs, byOther]) };
      return (await auditHere('export.json')).code;
    };
    expect([await auditWith({ id: 15368 }), await auditWith({ id: APP })]).toEqual([0, 1]);
    answers[runs] = { body: listOf([{ output: { summary: null } }]) };
    expect(await auditHere('export.json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('no checkpoint'),
    });
    // A log that was rolled back doesn't name the commit, but its pull request is on GitHub.
    const backup = log.fork(2);
    writeFileSync(join(folder, 'backup.json'), JSON.stringify(backup.export()));
    answers = {
      '/repos/octo-org/hello/pulls': { body: [{ head: { sha: SHA } }] },
      [runs]: { body: listOf(check_runs) },
    };
    const rolledBack = await auditHere('backup.json');
    expect([rolledBack.code, JSON.parse(rolledBack.out).differs]).toEqual([1, { from: 3, to: 5 }]);
    expect(problems).toEqual([]);
  });

  it.each<[status: number, headers: Record<string, string>, says: RegExp]>([
    [401, {}, /refuses the token/],
    [403, {}, /may not read the checks/],
    [403, { 'x-ratelimit-remaining': '0' }, /rate limit/],
    [429, {}, /rate limit/],
    [404, {}, /doesn’t show this repository/],
    [500, {}, /it answered 500/],
  ])('is no audit if GitHub answers %d %j', async (status, headers, says) => {
    answers = { '/repos/octo-org/hello/pulls': { status, headers, body: { message: 'no' } } };
    const read = readGitHubCheckpoints({ owner: 'octo-org', repo: 'hello', apiUrl: origin }, []);
    await expect(read).rejects.toThrow(says);
  });
});
