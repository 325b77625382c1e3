import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAppKey } from '../../demo/github/app-jwt.ts';
import type { RateLimits } from '../../demo/github/rate-limits.ts';
import type { Crowd } from '../../demo/github/seed.ts';
import type { SpeaksAs } from '../../demo/github/speaks-as.ts';
import { startLocalGitHub } from '../../demo/local-github.ts';
import { APP_KEY } from '../support/app-key.ts';
import { checkGitHubAnswer } from '../support/github-openapi.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests check the responses of an API.
export type Json = any;
type Answer = { status: number; headers: Headers; json: Json; text: string };
type Webhook = { event: string; payload: Json };

/** A local GitHub and a server that receives its webhooks. */
export type World = Awaited<ReturnType<typeof startWorld>>;

type CallOptions = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

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
  more: { crowd?: Crowd; hasAgents?: boolean; isGating?: boolean } = {},
) {
  const webhooks: Webhook[] = [];
  const server = receiver(webhooks);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', () => resolve()));
  const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const common = { privateKey: APP_KEY, port: 0, publicUrl };
  const github = await startLocalGitHub({ ...common, rateLimits, speaksAs, ...more });
  const { env, facts, origin } = github;
  const problems: string[] = [];

  const call = async (
    method: string,
    path: string,
    { token, body, headers }: CallOptions = {},
  ): Promise<Answer> => {
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
  const appToken = createAppKey(env.PRIVATE_KEY, env.GITHUB_CLIENT_ID).sign;

  return {
    github,
    webhooks,
    call,
    appToken,
    /** Waits for a webhook. */
    webhook: (isWanted: (webhook: Webhook) => boolean) => until('the webhook', () => webhooks.find(isWanted)),
    /** Signs in through the OAuth web flow; returns a new user token. */
    signIn: async (login: string): Promise<string> => {
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
    installationToken: async (installation = facts.installation): Promise<string> => {
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
