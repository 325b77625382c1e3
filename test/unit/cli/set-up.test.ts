import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findWritable } from '../../../src/cli/set-up/env-file.ts';
import { type SetUp, startSetUp } from '../../../src/cli/set-up/set-up.ts';
import { checkGitHubRequest } from '../../support/github-openapi.ts';
import { setUpBrowser } from '../../support/set-up-browser.ts';

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\nAAAA\n-----END RSA PRIVATE KEY-----\n';
const SETTINGS = {
  APP_ID: '7',
  PRIVATE_KEY: PEM,
  WEBHOOK_SECRET: 'hook-secret',
  GITHUB_CLIENT_ID: 'Iv23.id',
  GITHUB_CLIENT_SECRET: 'client-secret',
};
const PUBLIC_URL = 'https://guard.acme.test';

let folder: string;
let envFile: string;
let github: Server;
let githubUrl: string;
let exchanged: string[];
let answer: RequestListener;
let setUp: SetUp;

const conversion = (change: object = {}) => ({
  id: 7,
  client_id: 'Iv23.id',
  client_secret: 'client-secret',
  webhook_secret: 'hook-secret',
  pem: PEM,
  html_url: `${githubUrl}/apps/otp-guard`,
  ...change,
});
const sendApp =
  (change?: object): RequestListener =>
  (_req, res) => {
    res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(conversion(change)));
  };

const start = (answerMs?: number) =>
  startSetUp(
    {
      host: undefined,
      port: 0,
      publicUrl: PUBLIC_URL,
      githubUrls: { serverUrl: githubUrl, apiUrl: `${githubUrl}/api/v3` },
      webhookProxyUrl: undefined,
    },
    { envFile, ...(answerMs !== undefined && { answerMs }) },
  );

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otp-guard-set-up-'));
  envFile = join(folder, '.env');
  exchanged = [];
  answer = sendApp();
  github = createServer((req, res) => {
    exchanged.push(`${req.method} ${req.url}`);
    answer(req, res);
  });
  await new Promise<void>((done) => github.listen(0, 'localhost', done));
  githubUrl = `http://localhost:${(github.address() as AddressInfo).port}`;
  setUp = await start();
});
afterEach(async () => {
  await setUp.close();
  github.closeAllConnections();
  github.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser that opened the printed address. */
async function admitted() {
  const browser = setUpBrowser(setUp.address);
  expect(await browser.open()).toMatchObject({ status: 303, headers: { location: '/set-up' } });
  return browser;
}
const chosenIn = (page?: { text: string }) => page?.text.match(/name="\w+" value="\w*"(?= checked)/g);
const back = (code: string, state: string) => `/set-up/registered?code=${code}&state=${state}`;

describe('the set-up page', () => {
  it('is for the first browser that opens the printed address, in any number of tabs', async () => {
    const stranger = setUpBrowser(setUp.address);
    expect(await stranger.get('/')).toMatchObject({
      status: 404,
      text: expect.stringContaining('Open the address that OTP Guard printed'),
    });
    for (const path of ['/set-up', '/set-up/registered', '/set-up/wrong-token'])
      expect((await stranger.get(path)).status).toBe(403);
    const { pathname } = new URL(setUp.address);
    expect(pathname).toMatch(/^\/set-up\/[\w-]{43}$/);
    // A program that previews the link doesn't take the browser's place.
    expect((await stranger.send('HEAD', pathname)).status).toBe(403);
    const browser = await admitted();
    expect((await browser.open()).status).toBe(303);
    const page = await browser.get('/set-up');
    expect(page.text).toContain(`${PUBLIC_URL}/api/github/webhooks`);
    expect(page.text).not.toContain(pathname);
    expect(page.text).not.toContain(': done');
    expect((await browser.get('/set-up/icon.svg')).headers['content-type']).toMatch('image/svg+xml');
    expect((await stranger.open()).status).toBe(403);
    expect((await stranger.get('/set-up', { cookie: 'otp-guard-set-up=' })).status).toBe(403);
  });

  it('can be opened on this machine, under the printed name only', async () => {
    const browser = await admitted();
    const { port, pathname } = new URL(setUp.address);
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1:${port}`,
      'localhost',
      `localhost:${port}.evil.example`,
    ])
      for (const path of ['/set-up', pathname, '/set-up/set-up.js'])
        expect((await browser.get(path, { host })).status).toBe(404);
  });

  it('forbids every other script, frame and target of a form', async () => {
    const { headers } = await (await admitted()).get('/set-up');
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "img-src 'self'",
        "frame-ancestors 'none'",
        `form-action 'self' ${githubUrl}`,
      ]),
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('takes no form of another page: %j', async (headers) => {
    const browser = await admitted();
    expect((await browser.post({ account: 'personal' }, headers)).status).toBe(403);
    expect((await setUpBrowser(setUp.address).post({ account: 'personal' })).status).toBe(403);
  });

  it('sends a manifest with the addresses under PUBLIC_URL to the account', async () => {
    const browser = await admitted();
    const { action, manifest } = await browser.register({ account: 'organization', organization: ' acme ' });
    expect(action).toMatch(
      new RegExp(`^${githubUrl}/organizations/acme/settings/apps/new\\?state=[\\w-]{43}$`),
    );
    expect(manifest).toMatchObject({
      name: 'OTP Guard acme',
      url: PUBLIC_URL,
      hook_attributes: { url: `${PUBLIC_URL}/api/github/webhooks`, active: true },
      redirect_url: `${new URL(setUp.address).origin}/set-up/registered`,
      callback_urls: [`${PUBLIC_URL}/oauth`],
      setup_url: `${PUBLIC_URL}/org/repositories`,
      public: false,
      default_permissions: { checks: 'write', pull_requests: 'read', members: 'read' },
      default_events: expect.arrayContaining(['pull_request', 'merge_group']),
    });
    const listed = await browser.register({ account: 'personal', public: 'yes' });
    expect(listed.manifest).toMatchObject({ public: true });
    expect((await browser.register()).action).toContain(`${githubUrl}/settings/apps/new?state=`);
    for (const organization of ['', '../settings', 'a/b', 'a?x', '"><script>'])
      expect((await browser.post({ account: 'organization', organization })).status).toBe(400);
    const refused = await browser.post({ account: 'organization', organization: 'a b', public: 'yes' });
    expect(chosenIn(refused)).toEqual(['name="account" value="organization"', 'name="public" value="yes"']);
    expect(refused.text).toContain('value="a b"');
  });
});

describe('the way back from GitHub', () => {
  it('saves the credentials for good, keeps every line of .env, and ends the set-up', async () => {
    const lines = '# mine\r\nexport A="1\n2" # x\nB=\'q"\'\nAPP_ID=\nC=#';
    writeFileSync(join(folder, 'real.env'), lines);
    chmodSync(join(folder, 'real.env'), 0o644);
    symlinkSync('real.env', envFile);
    const browser = await admitted();
    const [first, second] = [await browser.register(), await browser.register()];
    const answers = await Promise.all([
      browser.get(back('code', first.state)),
      browser.get(back('other', second.state)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(exchanged).toEqual(['POST /api/v3/app-manifests/code/conversions']);
    expect(checkGitHubRequest({ method: 'POST', url: '/app-manifests/code/conversions' })).toEqual([]);
    expect(await setUp.registered).toEqual(SETTINGS);
    const saved = readFileSync(envFile, 'utf8');
    expect(saved.startsWith(`${lines}\n`)).toBe(true);
    // The next start finds the App where it was registered.
    const where = { GITHUB_SERVER_URL: githubUrl, GITHUB_API_URL: `${githubUrl}/api/v3` };
    expect(parseEnv(saved)).toEqual({ ...parseEnv(lines), ...where, ...SETTINGS });
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['.env', 'real.env']);

    // There is one App: nothing registers another, and reloads show the same page.
    for (const path of ['/set-up', back('code', first.state), back('more', second.state)]) {
      const { status, text } = await browser.get(path);
      expect([status, text]).toEqual([200, expect.stringContaining('The App is registered')]);
      expect(text.match(/[^>]+(?=: done<)/g)).toEqual(['Register the App']);
      for (const left of ['NODE_ENV=production', 'backups', 'mail server', 'otp-guard doctor'])
        expect(text).toContain(left);
      expect(text).toContain(`href="${githubUrl}/apps/otp-guard/installations/new"`);
      expect(text).toContain(`href="${PUBLIC_URL}/org"`);
      for (const secret of Object.values(SETTINGS).slice(1)) expect(text).not.toContain(secret);
    }
    expect(exchanged).toHaveLength(1);
    expect((await setUpBrowser(setUp.address).get('/set-up')).status).toBe(403);
  });

  it('goes into the first file that can be written, and into the first of all if its content is at fault', async () => {
    const nowhere = join(folder, 'nowhere/.env');
    expect(await findWritable([nowhere, envFile])).toBe(envFile);
    expect(await findWritable([nowhere, join(folder, 'nowhere/either')])).toBe(nowhere);
    writeFileSync(envFile, 'LOG_LEVEL="info\n');
    expect(await findWritable([envFile, join(folder, 'other')])).toBe(envFile);
    expect(readdirSync(folder)).toEqual(['.env']);
  });

  it('needs the state that this browser took along, once', async () => {
    const browser = await admitted();
    const { state } = await browser.register();
    expect((await setUpBrowser(setUp.address).get(back('code', state))).status).toBe(403);
    for (const wrong of ['', 'a', `${state}a`, state.slice(1)])
      expect((await browser.get(back('code', wrong))).status).toBe(403);
    answer = (_req, res) => res.writeHead(404).end();
    expect(exchanged).toEqual([]);
    expect((await browser.get(back('code', state))).text).toContain(`${githubUrl}/settings/apps`);
    expect([(await browser.get(back('code', state))).status, exchanged.length]).toEqual([403, 1]);
    const { state: next } = await browser.register();
    expect([(await browser.get(back('..%2Fother', next))).status, exchanged.length]).toEqual([502, 1]);
    expect(existsSync(envFile)).toBe(false);
  });

  it.each<[what: string, RequestListener | object]>([
    ['answers 500', (_req, res) => res.writeHead(500).end()],
    ['closes the connection', (req) => req.destroy()],
    ['redirects', (_req, res) => res.writeHead(302, { location: 'http://localhost:1/' }).end()],
    ['sends no JSON', (_req, res) => res.writeHead(201).end('<html>')],
    ['sends a setting in a setting', { client_secret: 'x"\nNODE_OPTIONS=--inspect' }],
    ['sends no secret', { webhook_secret: null }],
  ])('can be tried again with a reload if GitHub %s', async (_what, badly) => {
    const browser = await admitted();
    const { state } = await browser.register();
    answer = typeof badly === 'function' ? (badly as RequestListener) : sendApp(badly);
    const failed = await browser.get(back('code', state));
    expect([failed.status, existsSync(envFile)]).toEqual([502, false]);
    expect(failed.text).toContain('Reload this page');
    answer = sendApp();
    expect([(await browser.get(back('code', state))).status, readdirSync(folder)]).toEqual([200, ['.env']]);
  });

  it('can be tried again if GitHub hangs', async () => {
    await setUp.close();
    setUp = await start(1);
    answer = () => undefined;
    const browser = await admitted();
    const { state } = await browser.register();
    for (const _ of [1, 2])
      expect((await browser.get(back('code', state))).text).toContain('Reload this page');
  });

  it('is not taken, and not offered, while .env cannot be written', async () => {
    const browser = await admitted();
    const { state } = await browser.register();
    writeFileSync(envFile, 'OPEN="a quote\n');
    const answers = [
      await browser.post({ account: 'personal', public: 'yes' }),
      await browser.get(back('code', state)),
    ];
    expect(chosenIn(answers[0])).toEqual(['name="account" value="personal"', 'name="public" value="yes"']);
    expect(answers.map(({ status }) => status)).toEqual([400, 500]);
    for (const { text } of answers) expect(text).toContain('A quote in .env isn&#39;t closed.');
    rmSync(folder, { recursive: true });
    expect((await browser.get(back('code', state))).text).toContain('.env can&#39;t be written (ENOENT)');
    expect(exchanged).toEqual([]);

    // GitHub shows credentials once, so they wait for the reload.
    mkdirSync(folder);
    answer = (req, res) => {
      mkdirSync(envFile);
      sendApp()(req, res);
    };
    expect((await browser.get(back('code', state))).text).toContain('.env can&#39;t be read (EISDIR)');
    rmSync(envFile, { recursive: true });
    expect((await browser.get(back('code', state))).status).toBe(200);
    expect([exchanged.length, parseEnv(readFileSync(envFile, 'utf8'))]).toMatchObject([1, SETTINGS]);
  });
});
