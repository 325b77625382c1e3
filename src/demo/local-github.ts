import { Agent, type RequestListener } from 'node:http';
import { createAppKey } from './github/app-jwt.ts';
import { createCheckCompletion } from './github/check-completion.ts';
import { APP, type Credentials, createCredentials } from './github/credentials.ts';
import { type RunningEmulator, startEmulator } from './github/emulator.ts';
import { createHooks } from './github/hooks.ts';
import { createInstallationBook } from './github/installation-book.ts';
import { createLayer } from './github/layer.ts';
import { listenOnLoopback } from './github/listen.ts';
import type { Local } from './github/local.ts';
import { prepare } from './github/prepare.ts';
import { createRunBook } from './github/run-book.ts';
import { type Crowd, EVENTS, PERMISSIONS, seedFor, WORLD } from './github/seed.ts';
import type { CheckRun, Installation } from './github/shapes.ts';
import { createTokenBook } from './github/tokens.ts';
import { createUpstream } from './github/upstream.ts';
import type { ReceivedMail } from './mail-sink.ts';

/** A running local GitHub. */
export type LocalGitHub = {
  /** `http://localhost:<port>`: pages, OAuth and API alike. */
  origin: string;
  /** The settings with which the product runs against it. */
  env: {
    APP_ID: string;
    PRIVATE_KEY: string;
    WEBHOOK_SECRET: string;
    GITHUB_CLIENT_ID: string;
    GITHUB_CLIENT_SECRET: string;
    GITHUB_SERVER_URL: string;
    GITHUB_API_URL: string;
    PUBLIC_URL: string;
  };
  facts: {
    /** A token of octocat, who administers both organizations. It is not a token of the App. */
    adminToken: string;
    org: 'octo-org';
    orgID: number;
    installation: number;
    repo: 'hello';
    /** The page of an open pull request. */
    pull: string;
    otherOrg: 'other-org';
    otherOrgID: number;
    otherInstallation: number;
    otherRepo: string;
  };
  /** Ends it, deliveries under way included. */
  close(): Promise<void>;
};

type Options = {
  port: number;
  publicUrl: string;
  /** Makes the organization a large one. */
  crowd?: Crowd;
  /** The mail to show at `/_local/mail`; there is no such page without. */
  mails?: (() => readonly ReceivedMail[]) | undefined;
};

const isStarting: RequestListener = (_req, res) => void res.writeHead(503).end('Starting');

async function createLocal(
  emulator: RunningEmulator,
  input: { origin: string; credentials: Credentials } & Pick<Options, 'publicUrl' | 'mails'>,
): Promise<Local> {
  const { origin, credentials } = input;
  const appKey = createAppKey(emulator.privateKey, credentials.clientID);
  const upstream = createUpstream(emulator.url, credentials.serviceTokens);
  const listed = await upstream.get<Installation[]>('/app/installations', appKey.sign());
  const installations = createInstallationBook(origin, listed ?? []);
  const runs = createRunBook();
  const tokens = createTokenBook();
  tokens.add(credentials.adminToken, { kind: 'personal', login: 'octocat', inner: credentials.adminToken });
  const hooks = createHooks({
    url: `${input.publicUrl}/api/github/webhooks`,
    secret: credentials.webhookSecret,
    upstream,
    installations,
    complete: createCheckCompletion(upstream, origin, runs).event,
    isSilent: ({ name, payload }) => {
      const { check_run: run, action } = payload as { check_run?: CheckRun; action?: string };
      return name === 'check_run' && action === 'completed' && run !== undefined && runs.isStale(run.id);
    },
  });
  return {
    origin,
    credentials,
    appKey,
    upstream,
    tokens,
    installations,
    runs,
    formerNames: new Map(),
    asked: { permissions: { ...PERMISSIONS }, events: [...EVENTS] },
    hooks,
    mails: input.mails,
  };
}

const envOf = (local: Local, privateKey: string, publicUrl: string): LocalGitHub['env'] => ({
  APP_ID: String(APP.id),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: local.credentials.webhookSecret,
  GITHUB_CLIENT_ID: local.credentials.clientID,
  GITHUB_CLIENT_SECRET: local.credentials.clientSecret,
  GITHUB_SERVER_URL: local.origin,
  GITHUB_API_URL: local.origin,
  PUBLIC_URL: publicUrl,
});

/**
 * Starts a GitHub of its own on loopback: `emulate` behind a layer that adds what it lacks. Webhooks go to
 * `publicUrl` + `/api/github/webhooks`. Port 0 takes any. Rejects with a sentence that names the port where
 * somebody else listens on it.
 */
export async function startLocalGitHub(options: Options): Promise<LocalGitHub> {
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const credentials = createCredentials();
  // Shorter than the five seconds after which the emulator closes a connection that nobody uses.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  let handler = isStarting;
  const listening = await listenOnLoopback((req, res) => handler(req, res), options.port);
  const origin = `http://localhost:${listening.port}`;
  const hookUrl = `http://127.0.0.1:${listening.port}${credentials.hookPath}`;
  const closers = [listening.close];
  const close = async () => {
    await Promise.all(closers.map((end) => end()));
    agent.destroy();
  };
  try {
    const emulator = await startEmulator(
      origin,
      seedFor({ credentials, publicUrl, hookUrl, crowd: options.crowd ?? { members: 0, repositories: 0 } }),
    );
    closers.push(emulator.close);
    const local = await createLocal(emulator, { origin, credentials, publicUrl, mails: options.mails });
    closers.push(local.hooks.close);
    handler = createLayer(local, { target: emulator.url, agent });
    const prepared = await prepare(local.upstream, credentials.monaToken);
    const { check: _check, ...world } = WORLD;
    const facts = { adminToken: credentials.adminToken, ...world, ...prepared };
    return { origin, env: envOf(local, emulator.privateKey, publicUrl), facts, close };
  } catch (error) {
    await close();
    throw error;
  }
}
