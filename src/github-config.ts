import { getPrivateKey } from '@probot/get-private-key';
import type { SettingReader } from './setting-reader.ts';

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

const EXAMPLE_PRIVATE_KEY = '"-----BEGIN RSA PRIVATE KEY-----\\n…"';
const SETTINGS_OF_THE_APP = [
  'APP_ID',
  'PRIVATE_KEY',
  'PRIVATE_KEY_PATH',
  'WEBHOOK_SECRET',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
];

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
    webhookSecret: settings.required('WEBHOOK_SECRET', 'a-long-random-text'),
    clientId: settings.required('GITHUB_CLIENT_ID', 'Iv23liAbCdEfGhIjKlMn'),
    clientSecret: settings.required('GITHUB_CLIENT_SECRET', 'the-secret-of-the-app'),
    ...urls,
  };
}

/** `GITHUB_SERVER_URL` and `GITHUB_API_URL` win over `GHE_HOST`. */
export function readGitHubUrls(settings: SettingReader): GitHubUrls {
  const isHost = (value: string) => /^[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/.test(value);
  const host = settings.checked('GHE_HOST', isHost, 'must be a host name only', 'github.example.org');
  const protocol = settings.oneOf('GHE_PROTOCOL', ['https', 'http'], 'https');
  const serverUrl = settings.checked(
    'GITHUB_SERVER_URL',
    isOrigin,
    'must be an http or https URL without a path',
    'https://github.com',
  );
  const apiUrl = settings.url('GITHUB_API_URL', 'https://api.github.com');
  const derived = host === undefined ? GITHUB_COM : urlsOf(host.toLowerCase(), protocol);
  return {
    serverUrl: serverUrl === undefined ? derived.serverUrl : new URL(serverUrl).origin,
    apiUrl: apiUrl ?? derived.apiUrl,
  };
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
  const value = settings.required('APP_ID', '123456');
  if (value && !/^[1-9][0-9]{0,15}$/.test(value))
    settings.addFault('APP_ID', 'must be a number above 0', '123456');
  return Number(value);
}

function readPrivateKey(settings: SettingReader): string {
  const { env } = settings;
  try {
    const key = getPrivateKey({ env: env as Record<string, string> });
    if (key) return key;
    settings.addFault(
      'PRIVATE_KEY',
      'is missing. PRIVATE_KEY_PATH can name its file instead',
      EXAMPLE_PRIVATE_KEY,
    );
  } catch {
    if (env.PRIVATE_KEY)
      settings.addFault('PRIVATE_KEY', 'must be a private key in PEM format', EXAMPLE_PRIVATE_KEY);
    else
      settings.addFault(
        'PRIVATE_KEY_PATH',
        'must name a readable file with a private key in PEM format',
        './otp-guard.pem',
      );
  }
  return '';
}
