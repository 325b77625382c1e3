import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { findExpiredRoots, readAttestationRoots } from './attestation-config.ts';
import { readBackupConfig } from './backup-config.ts';
import { type GitHubConfig, readGitHubConfig, readGitHubUrls } from './github-config.ts';
import { createSettingReader, type Env, type SettingReader } from './setting-reader.ts';
import { findUnknownSettings } from './unknown-settings.ts';

export type { GitHubConfig };

export type Config = ReturnType<typeof readConfig>;
export type StoreConfig = ReturnType<typeof readStore>;
export type RegisteredConfig = Config & { github: GitHubConfig };

/** Everything that is wrong with the settings: one line for each, with an example. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Whether people come through a proxy that `TRUST_PROXY` doesn't name: we serve HTTP only, so a proxy adds HTTPS. */
export const isProxyUnknown = ({ publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>) =>
  publicUrl.startsWith('https:') && trustProxy === false;

const ENVIRONMENTS = ['production', 'development'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const SHORTEST_SECRET_KEY = 32;
const SHORTEST_METRICS_TOKEN = 16;
/** nodemailer takes every option from the URL, also one that runs a program or sends mail somewhere else. */
const SMTP_OPTIONS = ['requireTLS', 'tls.rejectUnauthorized'];

/**
 * Adds the settings in the working directory's `.env`, then those in `DATA_DIR/.env`, where set-up saves the App if it
 * can't write to the first. Of several, the first counts, and a setting of the environment before all.
 *
 * @throws ConfigError if a file can't be read. (Node 20's `process.loadEnvFile` takes one without permission for none.)
 */
export function loadDotEnv(file = resolve('.env'), env: Env = process.env): void {
  addSettings(env, file);
  const dataDir = dataDirOf(env);
  addSettings(env, join(dataDir, '.env'));
  if (dataDirOf(env) !== dataDir)
    throw new ConfigError(["DATA_DIR: can't be set in DATA_DIR/.env. Set it in the environment"]);
}

/** The folder of the embedded record store. Set-up can write there in any case, also with an external one. */
export const dataDirOf = (env: Env): string => resolve(env.DATA_DIR?.trim() || 'data');

function addSettings(env: Env, file: string): void {
  for (const [name, value] of Object.entries(parseEnv(readDotEnv(file)))) env[name] ??= value;
}

function readDotEnv(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A DATA_DIR that is no folder is reported with the other settings.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return '';
    throw new ConfigError([
      `.env: cannot be read (${code}). Let the user that OTP Guard runs as read ${file}, or remove it`,
    ]);
  }
}

/** Warns of what is probably wrong, such as a misspelt name, though OTP Guard can start: a line each. */
export const settingHints = (env: Env = process.env, now = new Date()): string[] => [
  ...findUnknownSettings(env),
  ...findExpiredRoots(createSettingReader(env), now),
];

/**
 * The process's settings, checked.
 *
 * @param options.makeFolders Creates DATA_DIR. If not, it may be missing if it could be created.
 * @throws ConfigError with every fault at once.
 */
export function readConfig(env: Env = process.env, { makeFolders = true } = {}) {
  const settings = createSettingReader(env);
  const production = settings.oneOf('NODE_ENV', ENVIRONMENTS, 'development') === 'production';
  const port = readPort(settings);
  const store = readStore(settings, makeFolders);
  const githubUrls = readGitHubUrls(settings);
  const config = {
    production,
    /** Null if no App is registered yet: then only the set-up page runs. */
    github: readGitHubConfig(settings, githubUrls, production),
    /** Where the App is, or will be, registered. */
    githubUrls,
    store,
    /** Keys that seal secrets at rest, the current one first; empty if the product creates its own. */
    secretKeys: readSecretKeys(settings, store),
    /** The dashboard's origin; its host name is the relying party id. */
    publicUrl: readPublicUrl(settings, production, port),
    host: settings.checked('HOST', isHost, 'must be an IP address or a host name'),
    port,
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    redisUrl: settings.url('REDIS_URL', ['redis', 'rediss']),
    webhookProxyUrl: settings.url('WEBHOOK_PROXY_URL'),
    /** The mail server's URL and the sender; null if the product sends no e-mail. */
    mail: readMail(settings),
    backup: readBackupConfig(settings, store.kind === 'embedded' ? store.dataDir : undefined),
    /** PEM certificates that the attestation of an authenticator may chain to; empty if no model can be verified. */
    attestationRoots: readAttestationRoots(settings),
    /** The bearer token for the metrics; undefined if they're off. */
    metricsToken: settings.secret('METRICS_TOKEN', SHORTEST_METRICS_TOKEN),
    /** Express's `trust proxy`: the number of proxies in front, or their addresses. */
    trustProxy: readTrustProxy(settings),
  };
  if (settings.faults.length > 0) throw new ConfigError(settings.faults);
  return config;
}

const isHost = (value: string) => isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value);

function readPort(settings: SettingReader): number {
  const isPort = (value: string) => /^[0-9]{1,5}$/.test(value) && Number(value) <= 65535;
  return Number(settings.checked('PORT', isPort, 'must be a port number from 0 to 65535') ?? 3000);
}

function readPublicUrl(settings: SettingReader, production: boolean, port: number): string {
  if (production) settings.required('PUBLIC_URL');
  const publicUrl = settings.origin('PUBLIC_URL') ?? `http://localhost:${port}`;
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && hostname !== 'localhost')
    settings.addFault('PUBLIC_URL', 'must be https, as browsers allow passkeys on http only for localhost');
  return publicUrl;
}

function readStore(settings: SettingReader, makeFolders: boolean) {
  const url = settings.url('POCKETBASE_URL');
  if (url !== undefined) {
    return {
      kind: 'external' as const,
      url,
      email: settings.email('POCKETBASE_SUPERUSER_EMAIL'),
      password: settings.required('POCKETBASE_SUPERUSER_PASSWORD'),
    };
  }
  // Otherwise OTP Guard would start with an empty store of its own, as if nobody had ever registered.
  if (settings.text('POCKETBASE_SUPERUSER_EMAIL') ?? settings.text('POCKETBASE_SUPERUSER_PASSWORD'))
    settings.required('POCKETBASE_URL');
  const dataDir = dataDirOf({ DATA_DIR: settings.text('DATA_DIR') });
  const problem = findUnwritable(dataDir, makeFolders);
  if (problem) settings.addFault('DATA_DIR', `must be a writable folder (${problem})`);
  return { kind: 'embedded' as const, dataDir };
}

/**
 * Creates the folder if `make` is true; if not, looks at the folder in which it would be created.
 *
 * @returns The system's error code if that fails or the folder can't be written.
 */
function findUnwritable(folder: string, make: boolean): string | undefined {
  try {
    if (make) mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const isMissing = !make && code === 'ENOENT' && dirname(folder) !== folder;
    return isMissing ? findUnwritable(dirname(folder), make) : code;
  }
}

function readSecretKeys(settings: SettingReader, store: StoreConfig): string[] {
  const keys = settings.text('SECRET_KEY')?.split(',') ?? [];
  const trimmed = keys.map((key) => key.trim());
  if (trimmed.some(({ length }) => length < SHORTEST_SECRET_KEY))
    settings.addFault('SECRET_KEY', `must have at least ${SHORTEST_SECRET_KEY} characters`);
  // Only an embedded store has a folder in which the product can keep a key of its own.
  if (store.kind === 'external') settings.required('SECRET_KEY');
  return trimmed;
}

function readMail(settings: SettingReader): { url: string; from: string } | null {
  if (settings.text('SMTP_URL') === undefined) return null;
  const url = settings.url('SMTP_URL', ['smtp', 'smtps']) ?? '';
  const options = url ? [...new URL(url).searchParams.keys()] : [];
  if (options.some((name) => !SMTP_OPTIONS.includes(name)))
    settings.addFault('SMTP_URL', `takes no option except ${SMTP_OPTIONS.join(' and ')}`);
  return { url, from: settings.email('MAIL_FROM') };
}

/** The forms that Express takes: a number of proxies, or their addresses and subnets. */
function readTrustProxy(settings: SettingReader): boolean | number | string {
  const value = settings.text('TRUST_PROXY');
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return 1;
  if (/^[0-9]+$/.test(value)) return Number(value);
  const addresses = value.split(',').map((part) => part.trim().replace(/\/[0-9]{1,3}$/, ''));
  const isAddress = (part: string) => isIP(part) || ['loopback', 'linklocal', 'uniquelocal'].includes(part);
  if (addresses.every(isAddress)) return value;
  settings.addFault('TRUST_PROXY', 'must be a number of proxies, or their addresses');
  return false;
}
