import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { checkGitHubRequest } from '../support/github-openapi.ts';
import { PROGRAM } from '../support/program.ts';
import { until } from '../support/until.ts';

const HEAD = 'ab'.repeat(20);
const APP = 314159;
const PAGE = 'https://guard.example.org/collect?pr=7';
const TOKEN = 'ghp_secret';

const WAITING = {
  id: 2,
  name: 'OTP Guard',
  head_sha: HEAD,
  status: 'in_progress',
  conclusion: null as string | null,
  details_url: PAGE,
  app: { id: APP },
  output: { text: null },
};
const PASSED = { ...WAITING, status: 'completed', conclusion: 'success' };

let runs: object[] = [];
let asked: string[] = [];
const problems: string[] = [];
const github = createServer((request, response) => {
  const { method = '', url = '' } = request;
  asked.push(url);
  problems.push(...checkGitHubRequest({ method, url }));
  const isKnown =
    /^\/repos\/octo-org\/hello\//.test(url) && request.headers.authorization === `Bearer ${TOKEN}`;
  const pull = { state: 'open', merged: false, head: { sha: HEAD } };
  const body = url.includes('/pulls/') ? pull : { total_count: runs.length, check_runs: runs };
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isKnown ? body : { message: 'Not Found' }));
});
beforeAll(() => new Promise<void>((resolve) => github.listen(0, 'localhost', resolve)));
afterAll(() => {
  github.close();
  github.closeAllConnections();
});

let transport: StdioClientTransport;
let client: Client;
let said = '';
/** The pages that the person was offered, and what they choose. */
let offered: unknown[] = [];
let choice: 'accept' | 'decline' = 'accept';

/** Starts the command as an agent's program does, over a pipe. */
async function connect(elicitation: { url?: object } = {}) {
  const { port } = github.address() as AddressInfo;
  const env = { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: `http://localhost:${port}`, HOME: '/nonexistent' };
  const args = [PROGRAM, 'mcp', '--app-id', String(APP)];
  transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation } });
  said = '';
  offered = [];
  transport.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    offered.push(params);
    return { action: choice };
  });
  await client.connect(transport);
}
beforeEach(() => {
  runs = [WAITING];
  asked = [];
});
afterEach(async () => {
  await client.close();
  expect(said).toBe('');
  expect(problems).toEqual([]);
});

type Answer = { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
const call = async (name: string, input: object = {}) => {
  const sent = { name, arguments: { pullRequest: 'octo-org/hello#7', ...input } };
  const { isError = false, content, structuredContent } = (await client.callTool(sent)) as Answer;
  return { isError, text: content.map(({ text }) => text).join('\n'), structuredContent };
};

describe('otp-guard mcp', () => {
  it('has three tools, which only read: none approves, denies, withdraws or changes anything', async () => {
    await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['approval_status', true],
      ['wait_for_approval', true],
      ['where_to_approve', true],
    ]);
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(client.getInstructions()).toMatch(/Only a person can approve/);
    expect(asked).toEqual([]);
  });

  it('says what a pull request waits for, and asks GitHub once in 30 seconds however often it is called', async () => {
    await connect();
    const { isError, text, structuredContent } = await call('approval_status');
    expect([isError, text.split('\n')]).toEqual([
      false,
      [
        'octo-org/hello#7 at abababab waits for a person’s approval.',
        `A person approves in a browser: ${PAGE}`,
      ],
    ]);
    expect(structuredContent).toMatchObject({ number: 7, state: 'waiting', head: HEAD, approval: PAGE });
    runs = [PASSED];
    for (let count = 0; count < 5; count += 1)
      expect((await call('approval_status')).structuredContent).toMatchObject({ state: 'waiting' });
    expect(asked).toHaveLength(2);
  });

  it('ends a wait when the check passes, with at most 300 seconds', async () => {
    await connect();
    runs = [PASSED];
    expect((await call('wait_for_approval', { seconds: 300 })).structuredContent).toMatchObject({
      state: 'passed',
    });
    for (const seconds of [301, 0, -1])
      expect((await call('wait_for_approval', { seconds })).isError).toBe(true);
  });

  it('ends while it waits, as soon as its client ends', async () => {
    await connect();
    const waiting = call('wait_for_approval', { seconds: 300 }).catch((error: Error) => error);
    await until('the reading', () => asked.length === 2);
    // Closing the client would send a signal after two seconds. An agent's program that is killed sends none.
    const { _process: command } = transport as unknown as { _process: ChildProcessWithoutNullStreams };
    const ended = once(command, 'exit');
    command.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(await waiting).toBeInstanceOf(Error);
  });

  it.each<['accept' | 'decline', string]>([
    ['accept', 'The person opens the page now.'],
    ['decline', 'The page wasn’t opened.'],
  ])('offers the page to the person if the client can open it: %s', async (chosen, last) => {
    choice = chosen;
    await connect({ url: {} });
    const { text } = await call('where_to_approve');
    expect(offered).toEqual([
      expect.objectContaining({ mode: 'url', url: PAGE, message: 'Approve octo-org/hello#7 in the browser' }),
    ]);
    expect(text.split('\n').at(-1)).toBe(last);
  });

  it('only names the page to other clients, and offers none once it passed', async () => {
    await connect();
    expect((await call('where_to_approve')).text).toContain(PAGE);
    await client.close();
    runs = [PASSED];
    await connect({ url: {} });
    expect((await call('where_to_approve')).text).toBe('octo-org/hello#7 at abababab passed.');
    expect(offered).toEqual([]);
  });

  it('refuses with a sentence, without the token', async () => {
    await connect();
    expect(await call('approval_status', { pullRequest: 'octo-org/other#7' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('GitHub doesn’t show this pull request'),
    });
    const odd = await call('approval_status', { pullRequest: '../..#7' });
    expect([odd.isError, odd.text]).toEqual([true, expect.stringContaining('OWNER/REPO#NUMBER')]);
    expect(odd.text).not.toContain(TOKEN);
  });

  it('is loaded by this command alone', async () => {
    await connect();
    const folder = dirname(PROGRAM);
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
    const [file, ...others] = files.filter((name) =>
      textOf(name).includes('node_modules/@modelcontextprotocol/'),
    );
    expect([file, others]).toEqual([expect.stringMatching(/^mcp-/), []]);
    const loading = files.filter((name) => textOf(name).includes(`/${file}"`));
    expect(loading).toEqual(['otp-guard.js']);
    expect(textOf('otp-guard.js')).toContain(`import("./${file}")`);
    expect(textOf('otp-guard.js')).not.toContain(`from "./${file}"`);
  });
});
