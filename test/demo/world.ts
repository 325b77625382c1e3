import { createSign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RateLimits } from '../../demo/github/rate-limits.ts';
import type { SpeaksAs } from '../../demo/github/speaks-as.ts';
import { type LocalGitHub, startLocalGitHub } from '../../demo/local-github.ts';
import { APP_KEY } from '../support/app-key.ts';
import { checkGitHubAnswer } from '../support/github-openapi.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests check the responses of an API.
export type Json = any;
export type Answer = { status: number; headers: Headers; json: Json; text: string };
export type Webhook = { event: string; payload: Json };

/** A local GitHub and a server that receives its webhooks. */
export type World = {
  github: LocalGitHub;
  webhooks: Webhook[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Waits for a webhook. */
  webhook(isWanted: (webhook: Webhook) => boolean): Promise<Webhook>;
  /** Signs in through the OAuth web flow; returns a new user token. */
  signIn(login: string): Promise<string>;
  appToken(): string;
  installationToken(installation?: number): Promise<string>;
  close(): Promise<void>;
};

export type CallOptions = {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwtOf(privateKey: string, appID: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: appID, iat: now - 60, exp: now + 540 };
  const input = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(privateKey, 'base64url')}`;
}

function receiver(webhooks: Webhook[]): Server {
  return createServer(async (req, res) => {
    webhooks.push({ event: String(req.headers['x-github-event']), payload: JSON.parse(await text(req)) });
    res.writeHead(202).end();
  });
}

/** Starts both on free ports. */
export async function startWorld(
  rateLimits: Partial<RateLimits> = {},
  speaksAs: SpeaksAs = { kind: 'github.com' },
): Promise<World> {
  const webhooks: Webhook[] = [];
  const server = receiver(webhooks);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', () => resolve()));
  const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl, rateLimits, speaksAs });
  const { env, facts, origin } = github;
  const problems: string[] = [];

  const call: World['call'] = async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    problems.push(...checkGitHubAnswer({ method, url: path, status: response.status, body: text }));
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  const appToken = () => jwtOf(env.PRIVATE_KEY, env.APP_ID);

  return {
    github,
    webhooks,
    call,
    appToken,
    webhook: (isWanted) => until('the webhook', () => webhooks.find(isWanted)),
    signIn: async (login) => {
      const form = new URLSearchParams({
        login,
        redirect_uri: `${publicUrl}/oauth`,
        state: 's',
        client_id: env.GITHUB_CLIENT_ID,
      });
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const chosen = await call('POST', '/login/oauth/callback', { body: form.toString(), headers: type });
      const { code } = Object.fromEntries(new URL(String(chosen.headers.get('location'))).searchParams);
      const body = { client_id: env.GITHUB_CLIENT_ID, client_secret: env.GITHUB_CLIENT_SECRET, code };
      const issued = await call('POST', '/login/oauth/access_token', { body });
      return issued.json.access_token;
    },
    installationToken: async (installation = facts.installation) => {
      const path = `/app/installations/${installation}/access_tokens`;
      return (await call('POST', path, { token: appToken() })).json.token;
    },
    close: async () => {
      await github.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (problems.length > 0)
        throw new Error(`GitHub doesn't answer so:\n${[...new Set(problems)].join('\n')}`);
    },
  };
}
