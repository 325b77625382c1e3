import { accessSync, constants, mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { getPrivateKey } from '@probot/get-private-key';
import { emailAddress } from './contract/email.ts';

/** The App as GitHub knows it, and where GitHub is. */
export type GitHubConfig = {
  appId: number;
  privateKey: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
  /** Origin of GitHub's pages, without a slash at the end. */
  serverUrl: string;
  /** Root of GitHub's REST API, without a slash at the end. */
  apiUrl: string;
};

export type StoreConfig =
  | { kind: 'embedded'; dataDir: string }
  | { kind: 'external'; url: string; email: string; password: string };

export type Config = {
  production: boolean;
  /** Null where the App is not registered yet: then only the set-up page runs. */
  github: GitHubConfig | null;
  store: StoreConfig;
  /** Keys that seal secrets at rest, the current one first; empty where the product makes its own. */
  secretKeys: string[];
  /** The dashboard's origin; its host name is the relying party id. */
  publicUrl: string;
  host: string | undefined;
  port: number;
  logLevel: string;
  logFormat: 'pretty' | 'json';
  redisUrl: string | undefined;
  webhookProxyUrl: string | undefined;
  /** Where e-mail goes out and who it is from; null where none is sent. */
  mail: { url: string; from: string } | null;
  /** Who may read the metrics; undefined where nobody does. */
  metricsToken: string | undefined;
  /** Express's `trust proxy`: how many proxies stand in front, or their addresses. */
  trustProxy: boolean | number | string;
};

/** All that is wrong with the settings: one line for each, with an example. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Env = Record<string, string | undefined>;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads `.env` of the working directory into `env`; what is set already stays. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile(resolve('.env'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new ConfigError([`.env: cannot be read (${(error as Error).message})`]);
    }
  }
}

/**
 * The settings of the process, checked.
 *
 * @throws ConfigError with every fault at once.
 */
export function readConfig(env: Env = process.env): Config {
  const faults: string[] = [];
  const text = (name: string) => env[name]?.trim() || undefined;
  const fault = (name: string, what: string, example: string) => {
    faults.push(`${name}: ${what}. Example: ${name}=${example}`);
    return undefined;
  };
  const required = (name: string, example: string) => text(name) ?? fault(name, 'is missing', example);
  const url = (name: string, example: string) => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
      return fault(name, 'is not an http or https URL', example);
    }
    return value.replace(/\/+$/, '');
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], otherwise: T) => {
    const value = text(name);
    if (value === undefined) return otherwise;
    if ((allowed as readonly string[]).includes(value)) return value as T;
    fault(name, `is none of ${allowed.join(', ')}`, otherwise);
    return otherwise;
  };

  const production = text('NODE_ENV') === 'production';
  const port = readPort(text('PORT')) ?? fault('PORT', 'is not a port number from 0 to 65535', '3000') ?? 0;
  if (production && !text('PUBLIC_URL')) fault('PUBLIC_URL', 'is missing', 'https://guard.example.org');
  const publicUrl = url('PUBLIC_URL', 'https://guard.example.org') ?? `http://localhost:${port}`;
  const { origin, protocol, hostname } = new URL(publicUrl);
  if (origin !== publicUrl) fault('PUBLIC_URL', 'holds more than an origin', 'https://guard.example.org');
  if (protocol === 'http:' && hostname !== 'localhost') {
    fault(
      'PUBLIC_URL',
      'must be https: passkeys work on http on localhost only',
      'https://guard.example.org',
    );
  }

  const gheHost = text('GHE_HOST');
  if (gheHost && !/^[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/.test(gheHost)) {
    fault('GHE_HOST', 'is more than a host name', 'github.example.org');
  }
  const gheProtocol = oneOf('GHE_PROTOCOL', ['https', 'http'], 'https');
  const serverUrl =
    url('GITHUB_SERVER_URL', 'https://github.com') ??
    (gheHost ? `${gheProtocol}://${gheHost}` : 'https://github.com');
  const apiUrl =
    url('GITHUB_API_URL', 'https://api.github.com') ??
    (gheHost ? `${gheProtocol}://${gheHost}/api/v3` : 'https://api.github.com');

  const registered =
    text('APP_ID') !== undefined ||
    text('PRIVATE_KEY') !== undefined ||
    text('PRIVATE_KEY_PATH') !== undefined;
  const github =
    registered || production
      ? {
          appId: readAppId(required('APP_ID', '123456'), fault),
          privateKey: readPrivateKey(env, fault),
          webhookSecret: required('WEBHOOK_SECRET', 'a-long-random-text') ?? '',
          clientId: required('GITHUB_CLIENT_ID', 'Iv23liAbCdEfGhIjKlMn') ?? '',
          clientSecret: required('GITHUB_CLIENT_SECRET', 'the-secret-of-the-app') ?? '',
          serverUrl,
          apiUrl,
        }
      : null;

  const store = readStore();
  const config: Config = {
    production,
    github,
    store,
    secretKeys: readSecretKeys(),
    publicUrl,
    host: text('HOST'),
    port,
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: oneOf('LOG_FORMAT', ['pretty', 'json'], production ? 'json' : 'pretty'),
    redisUrl: readRedisUrl(text('REDIS_URL'), fault),
    webhookProxyUrl: url('WEBHOOK_PROXY_URL', 'https://smee.io/your-channel'),
    mail: readMail(),
    metricsToken: readMetricsToken(),
    trustProxy: readTrustProxy(text('TRUST_PROXY'), fault),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;

  function readSecretKeys(): string[] {
    const example = 'a-random-text-of-at-least-32-characters';
    const keys = text('SECRET_KEY')?.split(',') ?? [];
    if (keys.some((key) => key.trim().length < 32))
      fault('SECRET_KEY', 'is shorter than 32 characters', example);
    if (keys.length === 0 && store.kind === 'external') fault('SECRET_KEY', 'is missing', example);
    return keys.map((key) => key.trim());
  }

  function readMetricsToken(): string | undefined {
    const token = text('METRICS_TOKEN');
    if (token !== undefined && token.length < 16)
      fault('METRICS_TOKEN', 'is shorter than 16 characters', 'a-random-text-of-16-characters');
    return token;
  }

  function readMail(): Config['mail'] {
    const url = text('SMTP_URL');
    const from = text('MAIL_FROM') ?? '';
    if (url === undefined) return null;
    if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || !new URL(url).hostname)
      fault('SMTP_URL', 'is not an smtp or smtps URL', 'smtps://user:password@mail.example.org');
    if (!emailAddress.safeParse(from).success)
      fault('MAIL_FROM', 'is not an e-mail address', 'otp-guard@example.org');
    return { url, from };
  }

  function readStore(): StoreConfig {
    const external = url('POCKETBASE_URL', 'https://records.example.org');
    if (external !== undefined) {
      return {
        kind: 'external',
        url: external,
        email: required('POCKETBASE_SUPERUSER_EMAIL', 'otp-guard@example.org') ?? '',
        password: required('POCKETBASE_SUPERUSER_PASSWORD', 'a-long-random-text') ?? '',
      };
    }
    const dataDir = resolve(text('DATA_DIR') ?? 'data');
    const problem = writable(dataDir);
    if (problem) fault('DATA_DIR', `cannot be written (${problem})`, '/var/lib/otp-guard');
    return { kind: 'embedded', dataDir };
  }
}

type Fault = (name: string, what: string, example: string) => undefined;

function readPort(value: string | undefined): number | undefined {
  if (value === undefined) return 3000;
  return /^[0-9]{1,5}$/.test(value) && Number(value) <= 65535 ? Number(value) : undefined;
}

function readAppId(value: string | undefined, fault: Fault): number {
  if (value === undefined) return 0;
  if (/^[1-9][0-9]{0,15}$/.test(value)) return Number(value);
  fault('APP_ID', 'is not a number above 0', '123456');
  return 0;
}

function readPrivateKey(env: Env, fault: Fault): string {
  try {
    const key = getPrivateKey({ env: env as Record<string, string> });
    if (key) return key;
    fault(
      'PRIVATE_KEY',
      'is missing (PRIVATE_KEY_PATH may name its file instead)',
      '"-----BEGIN RSA PRIVATE KEY-----\\n…"',
    );
  } catch {
    const name = env.PRIVATE_KEY ? 'PRIVATE_KEY' : 'PRIVATE_KEY_PATH';
    fault(
      name,
      'holds no PEM key that can be read',
      name === 'PRIVATE_KEY' ? '"-----BEGIN RSA PRIVATE KEY-----\\n…"' : './otp-guard.pem',
    );
  }
  return '';
}

function readRedisUrl(value: string | undefined, fault: Fault): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)))
    return value;
  return fault('REDIS_URL', 'is not a redis or rediss URL', 'redis://localhost:6379');
}

/** A number of proxies, or their addresses; the forms that Express takes. */
function readTrustProxy(value: string | undefined, fault: Fault): boolean | number | string {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return 1;
  if (/^[0-9]+$/.test(value)) return Number(value);
  const parts = value.split(',').map((part) => part.trim().replace(/\/[0-9]{1,3}$/, ''));
  if (parts.every((part) => isIP(part) || ['loopback', 'linklocal', 'uniquelocal'].includes(part)))
    return value;
  fault('TRUST_PROXY', 'is neither a number of proxies nor their addresses', '1');
  return false;
}

function writable(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
