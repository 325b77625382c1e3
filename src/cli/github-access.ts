import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type GitHubUrls, readGitHubUrls } from '../settings/github-config.ts';
import { createSettingReader } from '../settings/setting-reader.ts';
import { readKeyList } from './read-key-list.ts';
import { UsageError } from './usage-error.ts';

/** What commands that read GitHub take from the environment. Tokens are never arguments: other users of the machine can read those. */
export type GitHubEnv = Record<string, string | undefined>;

/** Which App the check has to come from. */
export type AppOptions = { appId?: string; origin?: string };

/** @throws UsageError if a setting can't work. */
export function findGitHub(env: GitHubEnv): GitHubUrls {
  const settings = createSettingReader(env);
  const urls = readGitHubUrls(settings);
  if (settings.faults.length > 0) throw new UsageError(settings.faults.join('\n'));
  return urls;
}

/** The App's number in the options or the environment; undefined if neither has it. */
export function givenAppId({ appId }: AppOptions, env: GitHubEnv): number | undefined {
  const given = appId ?? env.APP_ID;
  if (given !== undefined && !/^[1-9][0-9]{0,15}$/.test(given))
    throw new UsageError('Give --app-id as the number of the GitHub App.');
  return given === undefined ? undefined : Number(given);
}

/** @throws UsageError if nothing says which App the check has to come from. */
export async function publishedAppId({ origin }: AppOptions): Promise<number> {
  const keyList = await readKeyList({ ...(origin !== undefined && { origin }) });
  if (keyList?.app === undefined)
    throw new UsageError('Give --origin with OTP Guard’s address, or --app-id with its GitHub App’s number.');
  return keyList.app;
}

/**
 * GITHUB_TOKEN, or the token that GitHub's own command has for this GitHub.
 *
 * @param whose What the token has to be, with its article.
 */
export async function findToken(
  { GITHUB_TOKEN: token }: GitHubEnv,
  { serverUrl }: GitHubUrls,
  whose: string,
): Promise<string> {
  if (token) return token;
  const { host } = new URL(serverUrl);
  const found = await promisify(execFile)('gh', ['auth', 'token', '--hostname', host]).catch(() => null);
  const text = found?.stdout.trim();
  if (!text) throw new UsageError(`Set GITHUB_TOKEN to ${whose}, or sign in with gh auth login.`);
  return text;
}
