import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import { createGitHubApp, type GitHubApp, type Octokit } from '../../../../src/adapters/github/app.ts';
import { createCheckRuns } from '../../../../src/adapters/github/check-runs.ts';
import { createMembers } from '../../../../src/adapters/github/members.ts';
import { createOpenHeads } from '../../../../src/adapters/github/open-heads.ts';
import { createPullRequests } from '../../../../src/adapters/github/pull-requests.ts';
import { pauseOf } from '../../../../src/adapters/github/rate-limits.ts';
import { createRepositoryAccess } from '../../../../src/adapters/github/repository-access.ts';
import { createMemoryLimits } from '../../../../src/shared/limits.ts';
import { type LogContext, withLogContext } from '../../../../src/shared/log.ts';
import { APP_KEY } from '../../../support/app-key.ts';
import { codeOf } from '../../../support/code-of.ts';
import { fakeDate } from '../../../support/fake-date.ts';
import { until } from '../../../support/until.ts';
import { appAt } from './app-at.ts';

describe('a request to GitHub', () => {
  let server: Server;
  let app: GitHubApp;
  let asked: string[] = [];
  let status = 200;
  let headers: Record<string, string> = {};
  let tokenStatus = 201;
  let tokensAsked = 0;
  let time = 0;
  let onAsked = () => {};
  /** Resolves when the server may answer. */
  let mayAnswer = Promise.resolve();

  beforeAll(async () => {
    fakeDate();
    server = createServer(async (request, response) => {
      const isToken = request.url?.endsWith('/access_tokens') === true;
      if (isToken) tokensAsked += 1;
      else {
        asked.push(`${request.method} ${request.url}`);
        onAsked();
        await mayAnswer;
      }
      response.writeHead(isToken ? tokenStatus : status, {
        'content-type': 'application/json',
        ...(isToken ? { 'retry-after': '60' } : headers),
      });
      const token = { token: 'ghs_token', expires_at: '2099-01-01T00:00:00Z', permissions: {} };
      response.end(JSON.stringify(isToken ? token : { id: 1 }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = createGitHubApp(
      {
        appId: 1,
        privateKey: APP_KEY,
        webhookSecret: 'secret',
        clientId: 'client',
        clientSecret: 'secret',
        serverUrl: origin,
        apiUrl: origin,
      },
      { log: pino({ level: 'silent' }), retryMs: 20, limits: createMemoryLimits(() => time) },
    );
    await app.probot.ready();
  });

  afterAll(() => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    asked = [];
    status = 200;
    headers = {};
    tokenStatus = 201;
    time += 100 * 60_000;
    onAsked = () => {};
    mayAnswer = Promise.resolve();
  });

  const read = () =>
    app
      .asUser('ghu_token')
      .request('GET /user')
      .catch(() => undefined);

  it('is retried once after an error of GitHub', async () => {
    status = 500;
    await read();
    expect(asked).toEqual(['GET /user', 'GET /user']);
  });

  it.each([400, 401, 403, 404, 422, 429, 451])('is not retried after a %d', async (answer) => {
    status = answer;
    await read();
    expect(asked).toEqual(['GET /user']);
  });

  it.each<[string, number, Record<string, string>]>([
    ['Retry-After', 429, { 'retry-after': '60' }],
    ['a time of renewal', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4e9' }],
    ['429 alone', 429, {}],
  ])('is not sent for an installation after %s, and is for another one', async (what, answer, sent) => {
    const [paused, other] = await Promise.all([app.asInstallation(100 + what.length), app.asInstallation(2)]);
    [status, headers] = [answer, sent];
    const ask = async (octokit: Octokit) => octokit.request('GET /meta').catch(({ status: given }) => given);
    expect([await ask(paused), await ask(paused), asked.length]).toEqual([answer, 429, 1]);
    [status, headers] = [200, {}];
    await ask(other);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['its first token', 200, 201],
    ['a new token for one that it refuses', 401, 202],
  ])(
    'is not sent before the time that GitHub gives with a 429 to the request for %s',
    async (_what, refusal, id) => {
      const octokit = await app.asInstallation(id);
      const ask = async () => (await octokit.request('GET /meta').catch((error) => error)).status;
      if (refusal === 401) await ask();
      // The library tries a token again while it is new.
      jest.setSystemTime(Date.now() + 6_000);
      [status, tokenStatus, tokensAsked] = [refusal, 429, 0];
      expect([await ask(), tokensAsked]).toEqual([429, 1]);
      const before = asked.length;
      time += 59_000;
      expect([await ask(), await ask(), tokensAsked, asked.length]).toEqual([429, 429, 1, before]);
      [status, tokenStatus] = [200, 201];
      time += 1_000;
      expect(await ask()).toBe(200);
    },
  );

  it.each([
    [500, 2, 203],
    [401, 1, 204],
  ])(
    'asks no further time for its token than the token’s own request, after a %d',
    async (answer, times, id) => {
      const octokit = await app.asInstallation(id);
      [tokenStatus, tokensAsked] = [answer, 0];
      const failed = await octokit.request('GET /meta').catch((error) => error);
      expect([failed.status, tokensAsked, asked]).toEqual([answer, times, []]);
    },
  );

  it.each([
    ['RATE_LIMIT', {}, 60_000],
    ['RATE_LIMITED', {}, 60_000],
    ['RATE_LIMITED', { 'retry-after': '7' }, 7_000],
  ])('pauses after a query that GitHub refuses with 200 and the type %s', async (type, given, ms) => {
    const pause = (errors: object[], isQuery = true) =>
      pauseOf(Response.json({ data: null, errors }, { headers: given }), isQuery);
    expect(await pause([{ type, message: 'No' }])).toBe(ms);
    expect(await pause([{ type: 'NOT_FOUND', message: `about "${type}"` }])).toBe(0);
    expect(await pause([{ type }], false)).toBe(0);
  });

  it('is sent again after an hour, even if GitHub asks for years', async () => {
    const years = { 'retry-after': '999999999' };
    expect(await pauseOf(new Response('', { status: 429, headers: years }))).toBe(61 * 60_000);
  });

  const REPO = { id: 42, installation: 4, owner: 'octo-org', name: 'hello' };
  const query = (installation: number) => codeOf(createOpenHeads(app, 1).read({ ...REPO, installation }));

  it('waits for the answer to the one before if it is a query, because GitHub limits the time of all', async () => {
    const hasArrived = new Promise<void>((go) => {
      onAsked = go;
    });
    let answer = () => {};
    mayAnswer = new Promise((go) => {
      answer = go;
    });
    const queries = [query(5), query(5), query(5)];
    await hasArrived;
    const octokit = await app.asInstallation(5);
    // A read passes the queries that wait.
    onAsked = () => answer();
    await octokit.request('GET /meta');
    expect(asked.slice(0, 2)).toEqual(['POST /graphql', 'GET /meta']);
    await Promise.all(queries);
    expect(asked).toHaveLength(4);
  });

  it('is not sent after a limit of queries if it is one, and is otherwise: people wait for it', async () => {
    const octokit = await app.asInstallation(6);
    [status, headers] = [403, { 'retry-after': '60' }];
    await query(6);
    [status, headers] = [200, {}];
    await query(6);
    expect(asked).toEqual(['POST /graphql']);
    const run = { owner: 'octo-org', repo: 'hello', name: 'OTP Guard', head_sha: 'a'.repeat(40) };
    await octokit.rest.checks.create(run);
    await octokit.request('GET /meta');
    expect(asked).toHaveLength(3);
  });

  it.each<[string, number, Record<string, string>, RegExp]>([
    ['GitHub', 429, { 'retry-after': '2184' }, /reached GitHub's rate limit.*: try again in 37 minutes\.$/],
    ['GitHub, for a moment', 403, { 'retry-after': '60' }, /: try again in a minute\.$/],
    ['GitHub, until a time', 403, { 'x-ratelimit-remaining': '0' }, /: try again in 30 minutes\.$/],
    ['nobody, but no answer came', 502, {}, /^GitHub didn't answer\. Nothing is lost: try again\.$/],
  ])('tells a person how long it has to wait if the limit is by %s', async (_who, answer, sent, says) => {
    const reset = String(Math.floor(Date.now() / 1000) + 1_800);
    [status, headers] = [answer, { 'x-ratelimit-reset': reset, ...sent }];
    const pulls = createPullRequests(app);
    const read = () => pulls.get({ ...REPO, installation: 7 }, 1).catch((error) => error.message);
    expect(await read()).toMatch(says);
    // Our own answer, as long as the limit lasts.
    expect(await read()).toMatch(says);
  });

  it('is sent again when GitHub’s limit renews, by GitHub’s clock', async () => {
    const hourAhead = Math.floor(Date.now() / 1000) + 3600;
    const limit = {
      date: new Date(hourAhead * 1000).toUTCString(),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(hourAhead + 300),
    };
    expect(await pauseOf(new Response('', { status: 403, headers: limit }))).toBe(300_000);
  });

  it('waits if approvals can do without it, while less than a fifth of the hourly budget is left', async () => {
    const members = createMembers(app, createRepositoryAccess(app));
    const org = { orgId: 9, name: 'octo-org', installationId: 3, accountType: 'Organization' } as const;
    headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '999', 'x-ratelimit-reset': '4e9' };
    const octokit = await app.asInstallation(3);
    await octokit.request('GET /meta');
    expect(app.budget.lowUntil(3)).toEqual(new Date(4e12));
    expect([await codeOf(members.list(org)), asked]).toEqual(['githubBudgetLow', ['GET /meta']]);
    await members.role(org, { githubId: 1, login: 'mona' });
    await octokit.rest.checks.create({ owner: 'o', repo: 'r', name: 'OTP Guard', head_sha: 'a'.repeat(40) });
    expect(asked).toHaveLength(3);
  });

  it.each<[string, LogContext, number]>([
    ['the scheduler', {}, 429],
    ['a webhook', { request: 'r', delivery: 'd' }, 429],
    ['a person', { request: 'r' }, 200],
  ])(
    'of %s may read from the last twentieth of the hourly budget only for a person',
    async (_who, of, answer) => {
      const installation = 300 + answer + Object.keys(of).length;
      const octokit = await app.asInstallation(installation);
      const ask = () => octokit.request('GET /meta').catch((error) => error);
      const left = (remaining: string) => ({
        'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1_800),
      });
      await withLogContext(of, async () => {
        headers = left('250');
        await ask();
        headers = left('249');
        expect((await ask()).status).toBe(200);
        const last = await ask();
        expect([last.status, asked.length]).toEqual([answer, answer === 200 ? 3 : 2]);
        // A green check can still be taken away, and queries have a budget of their own.
        await octokit.rest.checks.create({
          owner: 'o',
          repo: 'r',
          name: 'OTP Guard',
          head_sha: 'a'.repeat(40),
        });
        await query(installation);
        expect(asked.slice(-2)).toEqual(['POST /repos/o/r/check-runs', 'POST /graphql']);
      });
    },
  );

  it('of a person doesn’t wait behind the reads of webhooks', async () => {
    const octokit = await app.asInstallation(320);
    const ask = () => octokit.request('GET /meta');
    let answer = () => {};
    mayAnswer = new Promise((go) => {
      answer = go;
    });
    const ofWebhooks = withLogContext({ request: 'r', delivery: 'd' }, () => Array.from({ length: 20 }, ask));
    await until('the reads of webhooks', () => asked.length === 10);
    const ofPerson = withLogContext({ request: 's' }, ask);
    await until('the read of a person', () => asked.length === 11);
    answer();
    await Promise.all([ofPerson, ...ofWebhooks]);
    expect(asked).toHaveLength(21);
  });

  it('isn’t sent, and not waited for, after the time that it has', async () => {
    const checkRuns = createCheckRuns(app, 1);
    const repo = { installation: 1, owner: 'octo-org', name: 'hello' };
    const text = { detailsUrl: 'https://guard.example.org/', title: 'T', summary: 'S' };
    const passes = { status: 'completed', conclusion: 'success', ...text } as const;
    const update = (ms: number) => codeOf(checkRuns.update(repo, 7, passes, 'completion', ms));
    expect([await update(0), asked]).toEqual(['githubUnavailable', []]);
    let answer = () => {};
    mayAnswer = new Promise((go) => {
      answer = go;
    });
    expect(await update(300)).toBe('githubUnavailable');
    answer();
  });

  it('does not wait for another write to end if it writes', async () => {
    const octokit = await app.asInstallation(1);
    const run = { owner: 'octo-org', repo: 'hello', name: 'OTP Guard', head_sha: 'a'.repeat(40) };
    // No write is answered before five are under way.
    mayAnswer = new Promise((answer) => {
      onAsked = () => asked.length === 5 && answer();
    });
    await Promise.all(Array.from({ length: 5 }, () => octokit.rest.checks.create(run)));
    expect(asked).toHaveLength(5);
  });
});

it('makes no client for a webhook, which waits for its turn in memory', async () => {
  const { probot } = appAt(async () => Response.json({}));
  await probot.ready();
  const clients: unknown[] = [];
  probot.on('pull_request', ({ octokit }) => void clients.push(octokit));
  const payload = { action: 'opened', installation: { id: 1 } } as never;
  for (const id of ['one', 'two']) await probot.webhooks.receive({ id, name: 'pull_request', payload });
  expect(clients).toHaveLength(2);
  expect(clients[0]).toBe(clients[1]);
});
