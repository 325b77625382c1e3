import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { afterEach } from '@jest/globals';
import { pino } from 'pino';
import { createHttpApp, type HttpDeps } from '../../../src/http/app.ts';
import type { AdmissionDeps } from '../../../src/http/handle-call.ts';
import { createUnsubscribeLinks } from '../../../src/notices/unsubscribe-links.ts';
import { createMemoryLimits } from '../../../src/shared/limits.ts';
import { createQueues } from '../../../src/shared/queues.ts';
import { everyRoom } from '../../support/every-room.ts';
import { FakeSessions, fakeGitHub, fakeStores } from '../../support/fakes.ts';

export const PUBLIC_URL = 'https://guard.example.org';
/** The token of Mona's session. */
export const SESSION = 'session-of-mona';
export const mona = { userId: 'mona', githubId: 11, login: 'mona' };

const ends: (() => unknown)[] = [];
/** Ends the servers of a test after it. */
export const endServersAfterEach = () =>
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

/** Serves on a free port; returns the origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The product's whole HTTP face over fakes, with what the test changes. */
export async function startHttpApp(change: Partial<HttpDeps> = {}) {
  const stores = fakeStores();
  const github = fakeGitHub(stores.stage, stores.clock);
  const sessions = new FakeSessions(stores.stage);
  sessions.open.set(SESSION, mona);
  const calls = {
    ...stores,
    ...github,
    sessions,
    limits: createMemoryLimits(),
    headTurns: createQueues<string>(5),
    githubBudget: { lowUntil: (_installation: number): Date | null => null },
    checkToken: (token: string) => github.tokens.check(token),
  };
  const lines: Record<string, unknown>[] = [];
  const requests: IncomingMessage[] = [];
  const app = createHttpApp({
    admission: calls as unknown as AdmissionDeps,
    rooms: everyRoom(calls),
    webhooks: { receive: async () => ({ outcome: 'duplicate' }), onShed: () => undefined },
    readiness: async () => ({ isReady: true, text: 'ok' }),
    isLeaving: () => false,
    readPublishedList: async (org = 0) => ({
      host: PUBLIC_URL,
      version: '1',
      keys: [],
      logs: [{ org, checkpoint: '' }],
    }),
    unsubscribeLinks: createUnsubscribeLinks(() => ['a secret key'], PUBLIC_URL),
    recordApi: (_request, response) => void response.send('record store'),
    dashboardDir: aDashboard(),
    publicUrl: PUBLIC_URL,
    githubUrl: 'https://github.example',
    githubApiUrl: 'https://api.github.example/v3',
    installUrl: 'https://github.example/apps/"guard"&<x>',
    version: '1.2.3',
    // A proxy that no request comes through: nothing that a request says about its address is believed.
    trustProxy: '192.0.2.1',
    metrics: undefined,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    ...change,
  });
  const origin = await serve((request, response) => {
    requests.push(request);
    app(request, response);
  });
  return {
    ...calls,
    origin,
    /** All requests that reached the server. */
    requests,
    /** The log. */
    lines,
    send: (method: string, path: string, options?: SendOptions) => send(origin, method, path, options),
  };
}

/** A built dashboard: one page, one compressed file and what the build copies. */
function aDashboard(): string {
  const dir = mkdtempSync(join(tmpdir(), 'dashboard-'));
  ends.push(() => rmSync(dir, { recursive: true }));
  cpSync('web/public', dir, { recursive: true });
  mkdirSync(join(dir, 'assets'));
  writeFileSync(
    join(dir, 'index.html'),
    '<html data-theme="%THEME%"><!-- %PRELOADS% --><a href="%GITHUB_INSTALL_URL%"><footer>%FOOTER%</footer>',
  );
  const preloads = [
    { path: '/', files: ['assets/home-5e6f.js'] },
    { path: '/org', files: ['assets/start-9c0d.css', 'assets/org-3c4d.js', 'assets/desk-7a8b.js'] },
    { path: '', files: ['assets/start-9c0d.css'] },
  ];
  writeFileSync(join(dir, 'preloads.json'), JSON.stringify(preloads));
  writeFileSync(join(dir, 'assets', 'app-1a2b.js'), 'script');
  writeFileSync(join(dir, 'assets', 'app-1a2b.js.br'), brotliCompressSync('script'));
  return dir;
}

type SendOptions = { headers?: Record<string, string>; body?: unknown };

/** Sends a request with exactly these headers. A body that is no text or bytes goes as JSON. */
async function send(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body = '' }: SendOptions = {},
) {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const sent = isRaw ? body : JSON.stringify(body);
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  const length = headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(sent) };
  const all = { ...type, ...length, ...headers };
  const outgoing = request(origin, { method, path, agent: false, headers: all }).end(sent);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
