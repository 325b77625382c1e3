import { request } from 'node:http';
import { resolve } from 'node:path';
import pino from 'pino';
import type PocketBase from 'pocketbase';
import type { LocalGitHub } from '../../demo/local-github.ts';
import type { EmbeddedStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import type { Waits } from '../../src/app/assemble.ts';
import { type Config, type GitHubConfig, readConfig } from '../../src/settings/config.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { APP_KEY } from './app-key.ts';
import { startLocalGitHub, startProduct } from './built.ts';
import { SECRET_KEY, startEmptyStore } from './empty-store.ts';
import { freePort } from './product.ts';
import { codeFor, type ProductOrigins } from './sign-in-code.ts';

export { SECRET_KEY, silent, startEmptyStore, superuserOf } from './empty-store.ts';

/** The product with a record store that the test can also access directly, as its superuser. */
export type ProductOverStore = {
  origin: string;
  config: Config & { github: GitHubConfig };
  github: LocalGitHub;
  /** The record store, with its own address. */
  store: EmbeddedStore;
  /** The record store's client, as its superuser. */
  records: PocketBase;
  log: string[];
  stop(): Promise<void>;
};

export type RawAnswer = { status: number; text: string; type: string };

export async function startProductOverStore({
  crowd = 0,
  ...options
}: {
  clock?: Clock;
  waits?: Waits;
  crowd?: number;
} = {}): Promise<ProductOverStore> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const [store, github] = await Promise.all([
    startEmptyStore('prepared'),
    startLocalGitHub({
      privateKey: APP_KEY,
      port: 0,
      publicUrl: origin,
      crowd: { members: crowd, repositories: 0 },
    }),
  ]);
  const end = () => Promise.all([store.stop(), github.close()]);
  try {
    const config = readConfig({
      ...github.env,
      PORT: String(port),
      HOST: 'localhost',
      PUBLIC_URL: origin,
      POCKETBASE_URL: store.url,
      POCKETBASE_SUPERUSER_EMAIL: store.email,
      POCKETBASE_SUPERUSER_PASSWORD: store.password,
      SECRET_KEY,
      METRICS_TOKEN: SECRET_KEY,
      // Each request comes from a new address, because a test sends more requests than the rate limits allow.
      TRUST_PROXY: '1',
    });
    if (!isRegistered(config)) throw new Error('the local GitHub has no App');
    const log: string[] = [];
    const product = await startProduct(config, {
      log: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
      dashboardDir: resolve('dist/web'),
      ...options,
    });
    // The first round stores what the product reads at its start.
    await product.firstRound;
    return {
      origin,
      config,
      github,
      store,
      records: store.records,
      log,
      async stop() {
        await product.stop();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function isRegistered(config: Config): config is Config & { github: GitHubConfig } {
  return config.github !== null;
}

let sentRequests = 0;

/** Sends a request whose target isn't decoded or normalised, and doesn't follow redirects. */
export function raw(
  origin: string,
  method: string,
  target: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  sentRequests += 1;
  return new Promise((done, failed) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path: target,
        headers: {
          'x-forwarded-for': `10.${(sentRequests >> 16) & 255}.${(sentRequests >> 8) & 255}.${sentRequests & 255}`,
          ...(options.token !== undefined && { authorization: options.token }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
          }),
          ...options.headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          done({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            type: answer.headers['content-type'] ?? '',
          }),
        );
        answer.on('error', failed);
      },
    );
    sent.on('error', failed);
    sent.end(body);
  });
}

/** Exchanges a code at the product, or directly at the record store if `at` is its origin. */
export function exchange(
  product: ProductOrigins,
  body: object,
  options: { at?: string; token?: string; expand?: string } = {},
): Promise<RawAnswer> {
  const expand = options.expand === undefined ? '' : `?expand=${encodeURIComponent(options.expand)}`;
  return raw(options.at ?? product.origin, 'POST', `/api/collections/gh_users/auth-with-oauth2${expand}`, {
    body,
    token: options.token,
  });
}

export type SignedIn = {
  token: string;
  record: Record<string, unknown> & { id: string; github_id: number };
  meta: Record<string, unknown> & { accessToken: string };
};

/** Signs in; throws if the product refuses. */
export async function signInAs(
  product: ProductOrigins,
  login: string,
  planted: object = {},
): Promise<SignedIn> {
  const answer = await exchange(product, { ...(await codeFor(product, login)), ...planted });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as SignedIn;
}
