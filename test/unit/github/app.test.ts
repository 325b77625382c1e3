import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { createGitHubApp, type GitHubApp } from '../../../src/github/app.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

describe('a request to GitHub', () => {
  let server: Server;
  let app: GitHubApp;
  let asked: string[] = [];
  let status = 200;
  let onAsked = () => {};
  /** Resolves when the server may answer. */
  let mayAnswer = Promise.resolve();

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const isToken = request.url?.endsWith('/access_tokens') === true;
      if (!isToken) {
        asked.push(`${request.method} ${request.url}`);
        onAsked();
        await mayAnswer;
      }
      response.writeHead(isToken ? 201 : status, { 'content-type': 'application/json' });
      const token = { token: 'ghs_token', expires_at: '2099-01-01T00:00:00Z', permissions: {} };
      response.end(JSON.stringify(isToken ? token : { id: 1 }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = createGitHubApp(
      {
        appId: 1,
        privateKey,
        webhookSecret: 'secret',
        clientId: 'client',
        clientSecret: 'secret',
        serverUrl: origin,
        apiUrl: origin,
      },
      { log: pino({ level: 'silent' }), redisUrl: undefined, retryMs: 20 },
    );
    await app.probot.ready();
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    asked = [];
    status = 200;
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

  it.each([400, 401, 403, 404, 422, 451])('is not retried after a %d', async (answer) => {
    status = answer;
    await read();
    expect(asked).toEqual(['GET /user']);
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
