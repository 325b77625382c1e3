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
export type GitHubConfig = NonNullable<ReturnType<typeof readGitHubConfig>>;

/** Null outside production until an App is registered: as long as none of its settings is set. */
export function readGitHubConfig(settings: SettingReader, urls: GitHubUrls, production: boolean) {
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

/** github.com without settings. GitHub says where the API of each kind of server is. */
export function readGitHubUrls(settings: SettingReader): GitHubUrls {
  const serverUrl = settings.origin('GITHUB_SERVER_URL') ?? 'https://github.com';
  return { serverUrl, apiUrl: settings.url('GITHUB_API_URL') ?? apiUrlOf(serverUrl) };
}

/**
 * GitHub Enterprise Cloud with data residency has its API at `api.SUBDOMAIN.ghe.com`, GitHub Enterprise Server under
 * `/api/v3` (docs.github.com, "Getting started with the REST API").
 */
function apiUrlOf(serverUrl: string): string {
  const { host } = new URL(serverUrl);
  const isCloud = host === 'github.com' || /^[a-z0-9-]+\.ghe\.com$/.test(host);
  return isCloud ? `https://api.${host}` : `${serverUrl}/api/v3`;
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

/** The start of a PEM file, as text or in base64. */
const PEM = /^(-----BEGIN |LS0tLS1CRUdJTi)/;

/** From the setting, the file that it names, or the only `*.pem` file of the working directory. */
function readPrivateKey(settings: SettingReader): string {
  const value = tidyKey(settings.text('PRIVATE_KEY'));
  const key = findPrivateKey(value);
  if (key && isRsaKey(key)) return key;
  const kind = 'an RSA private key in PEM format, without a passphrase';
  if (key === null) settings.addMissing('PRIVATE_KEY');
  else if (value !== undefined) settings.addFault('PRIVATE_KEY', `must be ${kind}, or name a file with one`);
  else
    settings.addFault(
      'PRIVATE_KEY',
      `must name the *.pem file of the working directory that has ${kind}, if it isn't the only one`,
    );
  return '';
}

/** A key as people paste it: in quotes, indented, or in base64 with line ends. The name of a file stays as it is. */
function tidyKey(value: string | undefined): string | undefined {
  const text =
    value
      ?.trim()
      .replace(/^(["'])([\s\S]*)\1$/, '$2')
      .trim() ?? '';
  if (!PEM.test(text)) return value;
  return text.startsWith('-') ? text.replace(/^[ \t]+|[ \t\r]+$/gm, '') : text.replace(/\s/g, '');
}

/** Null if there is none, undefined if it can't be read. */
function findPrivateKey(value: string | undefined): string | null | undefined {
  const name = value !== undefined && PEM.test(value) ? 'PRIVATE_KEY' : 'PRIVATE_KEY_PATH';
  try {
    return getPrivateKey({ env: value === undefined ? {} : { [name]: value } });
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
