import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret } from 'otpauth';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { registerCodes, registerPasskey } from '../support/account.ts';
import { APP_KEY } from '../support/app-key.ts';
import { CodeApp } from '../support/authenticator.ts';
import { startLocalGitHub } from '../support/built.ts';
import { calls } from '../support/every-room.ts';
import { approvalOptions, clientOf, freePort, type TestProduct, targetOf } from '../support/product.ts';
import { Running } from '../support/running.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';
import { words } from './choices.ts';

/** Text that must appear nowhere, and what it is. */
const canaries = new Map<string, string>();
const canary = (what: string) => {
  const text = `canary${randomBytes(16).toString('hex')}`;
  canaries.set(text, what);
  return text;
};
const keep = (what: string, secret: string) => {
  expect(secret.length).toBeGreaterThan(11);
  canaries.set(secret, what);
  return secret;
};

let github: LocalGitHub;
let smtp: SmtpServer;
let running: Running;
let product: TestProduct;
const settings = { SECRET_KEY: canary('SECRET_KEY'), METRICS_TOKEN: canary('METRICS_TOKEN') };

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: origin });
  smtp = await startSmtpServer();
  const { PRIVATE_KEY, WEBHOOK_SECRET, GITHUB_CLIENT_SECRET } = github.env;
  keep('PRIVATE_KEY', PRIVATE_KEY.split('\n')[5] ?? '');
  keep('WEBHOOK_SECRET', WEBHOOK_SECRET);
  keep('GITHUB_CLIENT_SECRET', GITHUB_CLIENT_SECRET);
  const SMTP_URL = smtp.url.replace('//', `//guard:${canary('the password in SMTP_URL')}@`);
  running = new Running({
    ...github.env,
    ...settings,
    SMTP_URL,
    MAIL_FROM: 'guard@acme.test',
    PUBLIC_URL: origin,
    PORT: String(port),
    HOST: 'localhost',
    LOG_LEVEL: 'trace',
  });
  await running.ready();
  product = {
    ...clientOf({ origin, github }),
    github,
    dataDir: join(running.folder, 'data'),
    log: [],
    stop: async () => undefined,
  };
});
afterAll(async () => {
  await running?.clear();
  await smtp?.close();
  await github?.close();
});

const answers: string[] = [];
const remember = async (answer: Response) => {
  answers.push(JSON.stringify([...answer.headers]), await answer.text());
  return answer;
};

/** Everything a person does that involves a secret. */
async function live(): Promise<void> {
  const mona = await product.signIn('mona');
  keep('a session', mona.token);
  keep('a GitHub token', mona.accessToken);
  const app = new CodeApp();
  keep('the secret of an authenticator app', app.base32);
  const bytes = Buffer.from(Secret.fromBase32(app.base32).bytes);
  for (const form of ['latin1', 'hex', 'base64', 'base64url'] as const)
    keep('the secret of an authenticator app', bytes.toString(form));
  expect((await registerCodes(product, mona, { app, code: app.codeAt(Date.now()) })).status).toBe(200);
  const key = await registerPasskey(product, await product.signIn('octocat'));
  expect(key.id).toBeTruthy();
  const pull = await product.pendingPull();
  const otp = app.codeAt(Date.now() + 30_000);
  const approved = await product.call(
    '/github-totp-check',
    { ...targetOf(product, pull), otp, accessToken: mona.accessToken },
    mona,
  );
  expect(approved.status).toBe(200);
  const wrong = { ...targetOf(product, pull), otp: '000000', accessToken: mona.accessToken };
  answers.push((await product.call('/github-totp-check', wrong, mona)).text);
  const octocat = await product.signIn('octocat');
  const options = await approvalOptions(product, octocat, targetOf(product, pull));
  keep('a challenge', options.challenge);
  const { org, orgID } = product.github.facts;
  const hook = {
    org,
    orgID,
    kind: 'webhook',
    url: `https://hook.invalid/${canary('the path of a webhook')}`,
  };
  const set = await product.call('/set-hook', { ...hook, accessToken: octocat.accessToken }, octocat);
  keep('the secret of a webhook', set.json<{ secret: string }>().secret);
  const sent = await product.call('/github-precheck-email', { email: 'octocat@acme.test' }, octocat);
  keep('the signature of an e-mail code', sent.json<{ sig: string }>().sig);
}

/** Requests with a secret in each place that a client can fill. */
async function sendEverywhere(): Promise<void> {
  const hubot = await product.signIn('hubot');
  keep('a session', hubot.token);
  const fields =
    words(`label type org orgID accessToken totpSecret totpValue otp stepUp params pkCreds authResponse
    email sig code ts id head base image authenticatorID deviceLink emailCode`);
  const headers = () =>
    Object.fromEntries(
      words(
        'x-github-token x-step-up cookie x-forwarded-for x-forwarded-host referer user-agent x-request-id',
      ).map((name) => [name, canary(name)]),
    );
  const body = () => JSON.stringify(Object.fromEntries(fields.map((name) => [name, canary(name)])));
  const json = { 'content-type': 'application/json' };
  for (const { path } of calls.filter(({ path: of }) => of !== '/logout')) {
    for (const authorization of [hubot.token, `Bearer ${canary('authorization')}`])
      await remember(
        await fetch(`${product.origin}${path}?token=${canary('a query')}`, {
          method: 'POST',
          headers: { ...headers(), ...json, authorization },
          body: body(),
        }),
      );
  }
  const oauth = JSON.stringify({
    provider: 'github',
    code: canary('an OAuth code'),
    codeVerifier: canary('a verifier'),
    redirectUrl: `${product.origin}/oauth`,
  });
  const signIn = `${product.origin}/api/collections/gh_users/auth-with-oauth2`;
  await remember(await fetch(signIn, { method: 'POST', headers: { ...headers(), ...json }, body: oauth }));
  const webhook = {
    ...headers(),
    ...json,
    'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    'x-github-event': 'ping',
    'x-github-delivery': canary('a delivery'),
  };
  await remember(
    await fetch(`${product.origin}/api/github/webhooks`, { method: 'POST', headers: webhook, body: body() }),
  );
  const paths = [
    `/oauth?code=${canary('an OAuth code')}&state=${canary('a state')}`,
    `/api/collections/webauthn/records?filter=${canary('a filter')}`,
  ];
  for (const path of paths) {
    const answer = await fetch(`${product.origin}${path}`, {
      headers: { ...headers(), authorization: hubot.token },
    });
    await remember(answer);
  }
  const record = `${product.origin}/api/collections/totps/records/${'a'.repeat(15)}`;
  await remember(
    await fetch(record, { method: 'DELETE', headers: { ...headers(), authorization: hubot.token } }),
  );
}

/** Texts that other people and monitors can see. Other processes: test/http/child-processes.test.ts. */
async function sinks(): Promise<[name: string, text: string][]> {
  const metrics = await fetch(`${product.origin}/metrics`, {
    headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
  });
  expect(metrics.status).toBe(200);
  const data = join(product.dataDir, 'pocketbase', 'data');
  const files = readdirSync(data)
    .filter((name) => name.includes('.db'))
    .map((name): [string, string] => [name, readFileSync(join(data, name), 'latin1')]);
  return [
    ['the log', running.stdout + running.stderr],
    ['an answer', answers.join('\n')],
    ['the metrics', await metrics.text()],
    ['readiness', await (await fetch(`${product.origin}/readyz`)).text()],
    // The store's settings hold the client secret, and challenges stay there for a minute.
    ...files.map(([name, text]): [string, string] => [
      name,
      name.startsWith('data.db') ? withoutStored(text) : text,
    ]),
  ];
}

const STORED = ['GITHUB_CLIENT_SECRET', 'a challenge', 'the signature of an e-mail code', 'a delivery'];
const withoutStored = (text: string) =>
  [...canaries]
    .filter(([, what]) => STORED.includes(what))
    .reduce((left, [secret]) => left.replaceAll(secret, ''), text);

it('no secret is in a log, an answer, the metrics or the record store’s files', async () => {
  await live();
  await sendEverywhere();
  expect(canaries.size).toBeGreaterThan(300);
  expect(running.stderr).toContain('"level"');
  for (const [name, text] of await sinks())
    for (const [secret, what] of canaries)
      if (text.includes(secret)) throw new Error(`${what} is in ${name}`);
});
