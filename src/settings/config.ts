import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { findExpiredRoots, readAttestationRoots } from './attestation-config.ts';
import { readBackupConfig } from './backup-config.ts';
import { type GitHubConfig, readGitHubConfig, readGitHubUrls } from './github-config.ts';
import { addProxyNames, readOutgoingProxy } from './outgoing-proxy.ts';
import { createSettingReader, type Env, type SettingReader } from './setting-reader.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';
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

/** Tells whether people come through a proxy that `TRUST_PROXY` doesn't name: we serve HTTP, so a proxy adds HTTPS. */
export const isProxyUnknown = ({ publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>) =>
  publicUrl.startsWith('https:') && trustProxy === false;

const ENVIRONMENTS = ['production', 'development'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const SHORTEST_SECRET_KEY = 32;
const SHORTEST_METRICS_TOKEN = 16;
/** nodemailer takes every option from the URL, even an option that runs a program or sends mail somewhere else. */
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
  addProxyNames(env);
  if (dataDirOf(env) !== dataDir)
    throw new ConfigError(["DATA_DIR: can't be set in DATA_DIR/.env. Set it in the environment"]);
}

/** The folder of the embedded record store. Set-up can write there in any case, also with an external one. */
export const dataDirOf = (env: Env): string => resolve(env.DATA_DIR?.trim() || 'data');

function addSettings(env: Env, file: string): void {
  const text = readDotEnv(file);
  const cut = SETTING_NAMES.filter((name) =>
    new RegExp(`^[ \\t]*(export +)?${name}${CUT_AT_HASH}`, 'm').test(text),
  );
  if (cut.length > 0) throw new ConfigError(cut.map(cutAt));
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

/** The rest of a line of `.env` whose value isn't in quotes and has a # in it, where it would end. */
const CUT_AT_HASH = '[ \\t]*=(#|[ \\t]*[^"\'`\\s#]([^#\\n]*[^#\\s])?#)';

const cutAt = (name: SettingName) =>
  `${name}: has a # in .env, where its value ends without quotes. Put it in quotes. Example: ${name}="${SETTINGS[name].example}"`;

function readDotEnv(file: string): string {
  try {
    // Editors of Windows begin a file with a byte order mark, which would belong to the first name.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
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
  ...findWeakSecrets(env),
  ...findExpiredRoots(createSettingReader(env), now),
];

/** The fewest different characters of a text that was chosen at random. */
const FEWEST_DIFFERENT = 8;
const SHORTEST = { WEBHOOK_SECRET: 16, POCKETBASE_SUPERUSER_PASSWORD: 16, SECRET_KEY: 0, METRICS_TOKEN: 0 };

/** Names secrets that are easy to guess. OTP Guard starts with them, because an upgrade mustn't stop it. */
function findWeakSecrets(env: Env): string[] {
  const { text } = createSettingReader(env);
  const isWeak = (name: keyof typeof SHORTEST, [secret = '']: string[] = []) =>
    secret.length < SHORTEST[name] ||
    new Set(secret).size < FEWEST_DIFFERENT ||
    secret === SETTINGS[name].example;
  const set = (Object.keys(SHORTEST) as (keyof typeof SHORTEST)[]).filter((name) => text(name));
  return set
    .filter((name) => isWeak(name, text(name)?.split(',')))
    .map(
      (name) => `${name}: is easy to guess. Replace it with a random text, as openssl rand -hex 32 prints`,
    );
}

/**
 * The process's settings, checked.
 *
 * @param options.makeFolders Creates DATA_DIR. If not, it may be missing if it could be created.
 * @throws ConfigError with all faults together.
 */
export function readConfig(env: Env = process.env, { makeFolders = true } = {}) {
  const settings = createSettingReader(env);
  refuseQuotes(settings);
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
    outgoingProxy: readOutgoingProxy(settings),
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

/** A shell and `.env` remove quotes. Docker's --env-file and Kubernetes keep them, and a secret with them is another one. */
function refuseQuotes(settings: SettingReader): void {
  // Its reader takes a key with or without them.
  for (const name of SETTING_NAMES.filter((one) => one !== 'PRIVATE_KEY'))
    if (/^(["']).*\1$/s.test(settings.text(name) ?? ''))
      settings.addFault(name, 'has quotes around it that belong to the value. Remove them');
}

/** Settings that lead to the records of a product that may be running, or that only such a product needs. */
const OF_A_PRODUCT = /^(NODE_ENV|DATA_DIR|POCKETBASE_|REDIS_|BACKUP_)/;

/** Like `readConfig`, for a record store in this folder, apart from the store that the settings name. */
export function readConfigApart(dataDir: string, env: Env = process.env) {
  const others = Object.entries(env).filter(([name]) => !OF_A_PRODUCT.test(name));
  return readConfig({ ...Object.fromEntries(others), DATA_DIR: dataDir });
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
  // Web Authentication, section 5.1.3: the effective domain must be a domain.
  if (isIP(hostname.replace(/^\[|\]$/g, '')))
    settings.addFault('PUBLIC_URL', 'must have a host name, as browsers allow no passkeys at an IP address');
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
  settings.folder('DATA_DIR', () => true, 'must be a folder on a disk, as a path without ~');
  const dataDir = dataDirOf({ DATA_DIR: settings.text('DATA_DIR') });
  const problem = settings.hasFault('DATA_DIR') ? undefined : findUnwritable(dataDir, makeFolders);
  if (problem) settings.addFault('DATA_DIR', `must be a writable folder (${problem})`);
  // The record store's own room reads it where it checks the binary.
  const isHash = (value: string) => /^[0-9a-f]{64}$/i.test(value);
  settings.checked('POCKETBASE_SHA256', isHash, 'must be 64 hexadecimal digits');
  return { kind: 'embedded' as const, dataDir };
}

/**
 * Creates the folder if `make` is true; if not, looks at the folder in which it would be created.
 *
 * @returns The system's error code if that fails or the folder can't be written.
 */
function findUnwritable(folder: string, make: boolean): string | undefined {
  try {
    if (make) makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory() ? undefined : 'ENOTDIR';
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const isMissing = !make && code === 'ENOENT' && dirname(folder) !== folder;
    return isMissing ? findUnwritable(dirname(folder), make) : code;
  }
}

/** Node's own recursive `mkdirSync` never ends where the parent exists and nothing can be made in it, as with autofs. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
  if (settings.text('MAIL_FROM') !== undefined) settings.required('SMTP_URL');
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
  if (/^[0-9]{1,2}$/.test(value)) return Number(value);
  if (value.split(',').every((part) => isAddressOrSubnet(part.trim()))) return value;
  settings.addFault('TRUST_PROXY', 'must be a number of proxies, or their addresses');
  return false;
}

function isAddressOrSubnet(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
