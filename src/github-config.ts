import { getPrivateKey } from '@probot/get-private-key';
import type { SettingReader } from './setting-reader.ts';

/** The GitHub App, and the GitHub it belongs to. */
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

const EXAMPLE_PRIVATE_KEY = '"-----BEGIN RSA PRIVATE KEY-----\\n…"';

/** Null outside production until an App is registered. */
export function readGitHubConfig(settings: SettingReader, production: boolean): GitHubConfig | null {
  const urls = readGitHubUrls(settings);
  const isRegistered = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH'].some((name) => settings.text(name));
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
function readGitHubUrls(settings: SettingReader): Pick<GitHubConfig, 'serverUrl' | 'apiUrl'> {
  const isHost = (value: string) => /^[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/.test(value);
  const host = settings.checked('GHE_HOST', isHost, 'must be a host name only', 'github.example.org');
  const protocol = settings.oneOf('GHE_PROTOCOL', ['https', 'http'], 'https');
  const enterprise = host && `${protocol}://${host}`;
  const serverUrl = settings.url('GITHUB_SERVER_URL', 'https://github.com');
  const apiUrl = settings.url('GITHUB_API_URL', 'https://api.github.com');
  return {
    serverUrl: serverUrl ?? enterprise ?? 'https://github.com',
    apiUrl: apiUrl ?? (enterprise ? `${enterprise}/api/v3` : 'https://api.github.com'),
  };
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
