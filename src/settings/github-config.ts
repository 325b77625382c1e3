import { createPrivateKey } from 'node:crypto';
import { getPrivateKey } from '@probot/get-private-key';
import type { SettingReader } from './setting-reader.ts';
import { SETTINGS_OF_THE_APP } from './settings.ts';

/**
 * The version of GitHub's REST API that the product was written for (docs.github.com, "API Versions"). Each request names
 * it, so that a newer one can't change an answer.
 */
export const GITHUB_API_VERSION = '2022-11-28';

/** Where the GitHub is that the App belongs to. */
export type GitHubUrls = {
  /** Origin of GitHub's pages, without a slash at the end. */
  serverUrl: string;
  /** Root of GitHub's REST API, without a slash at the end. */
  apiUrl: string;
};

/** The GitHub App, and the GitHub it belongs to. */
export type GitHubConfig = GitHubUrls & {
  appId: number;
  privateKey: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
};

/** Null outside production until an App is registered: as long as none of its settings is set. */
export function readGitHubConfig(
  settings: SettingReader,
  urls: GitHubUrls,
  production: boolean,
): GitHubConfig | null {
  // A half-set App isn't a new one: the set-up page would write settings that the environment's hide.
  const isRegistered = SETTINGS_OF_THE_APP.some((name) => settings.text(name));
  if (!isRegistered && !production) return null;
  return {
    appId: readAppId(settings),
    privateKey: readPrivateKey(settings),
    webhookSecret: settings.required('WEBHOOK_SECRET'),
    clientId: readClientId(settings),
    clientSecret: settings.required('GITHUB_CLIENT_SECRET'),
    ...urls,
  };
}

/** `GITHUB_SERVER_URL` and `GITHUB_API_URL` win over `GHE_HOST`. */
export function readGitHubUrls(settings: SettingReader): GitHubUrls {
  const isHost = (value: string) => /^[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/.test(value);
  const host = settings.checked('GHE_HOST', isHost, 'must be a host name only');
  const protocol = settings.oneOf('GHE_PROTOCOL', ['https', 'http'], 'https');
  const serverUrl = settings.checked(
    'GITHUB_SERVER_URL',
    isOrigin,
    'must be an http or https URL without a path',
  );
  const apiUrl = settings.url('GITHUB_API_URL');
  const derived = host === undefined ? GITHUB_COM : urlsOf(host.toLowerCase(), protocol);
  const urls = {
    serverUrl: serverUrl === undefined ? derived.serverUrl : new URL(serverUrl).origin,
    apiUrl: apiUrl ?? derived.apiUrl,
  };
  // Otherwise github.com would get what is meant for another GitHub.
  if (derived === GITHUB_COM && urls.serverUrl !== GITHUB_COM.serverUrl) settings.required('GITHUB_API_URL');
  return urls;
}

const GITHUB_COM: GitHubUrls = { serverUrl: 'https://github.com', apiUrl: 'https://api.github.com' };

/**
 * GitHub Enterprise Cloud with data residency has its API at `api.SUBDOMAIN.ghe.com`, GitHub Enterprise Server under
 * `/api/v3` (docs.github.com, "Getting started with the REST API").
 */
function urlsOf(host: string, protocol: string): GitHubUrls {
  if (host === 'github.com') return GITHUB_COM;
  const isDataResidency = /^[a-z0-9-]+\.ghe\.com$/.test(host);
  if (isDataResidency) return { serverUrl: `https://${host}`, apiUrl: `https://api.${host}` };
  return { serverUrl: `${protocol}://${host}`, apiUrl: `${protocol}://${host}/api/v3` };
}

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
}

function readAppId(settings: SettingReader): number {
  const value = settings.required('APP_ID');
  if (value && !/^[1-9][0-9]{0,15}$/.test(value)) settings.addFault('APP_ID', 'must be a number above 0');
  return Number(value);
}

function readClientId(settings: SettingReader): string {
  const value = settings.required('GITHUB_CLIENT_ID');
  if (/^[0-9]+$/.test(value))
    settings.addFault('GITHUB_CLIENT_ID', "must be the App's client id, which isn't its APP_ID");
  return value;
}

/** From the setting, its file, or the only `*.pem` file of the working directory. */
function readPrivateKey(settings: SettingReader): string {
  const text = settings.text('PRIVATE_KEY');
  const path = settings.text('PRIVATE_KEY_PATH');
  const key = findPrivateKey({ ...(text && { PRIVATE_KEY: text }), ...(path && { PRIVATE_KEY_PATH: path }) });
  if (key && isRsaKey(key)) return key;
  const kind = 'an RSA private key in PEM format, without a passphrase';
  if (key === null) settings.addMissing('PRIVATE_KEY', 'PRIVATE_KEY_PATH');
  else if (text) settings.addFault('PRIVATE_KEY', `must be ${kind}`);
  else if (path) settings.addFault('PRIVATE_KEY_PATH', `must name a readable file with ${kind}`);
  else
    settings.addFault(
      'PRIVATE_KEY_PATH',
      `must say which *.pem file of the working directory has ${kind}, if it isn't the only one`,
    );
  return '';
}

/** Null if there is none, undefined if it can't be read. */
function findPrivateKey(env: Record<string, string>): string | null | undefined {
  try {
    return getPrivateKey({ env });
  } catch {
    return undefined;
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
