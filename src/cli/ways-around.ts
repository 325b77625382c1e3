import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LOGIN } from '../contract/fields.ts';
import { findWays } from '../protection/ways.ts';
import { readGitHubUrls } from '../settings/github-config.ts';
import { createSettingReader } from '../settings/setting-reader.ts';
import { describeWays } from './describe-ways.ts';
import { readKeyList } from './read-key-list.ts';
import { UsageError } from './usage-error.ts';

type Options = { appId?: string; origin?: string; json?: boolean };
/** Tokens are never arguments: other users of the machine can read those. */
type Env = Record<string, string | undefined>;

/** Exit codes: no way, some ways, and none that could be read although a part couldn't. */
const [NONE, SOME, UNREAD] = [0, 1, 2];

/**
 * `otp-guard ways-around`: prints everybody and everything that can merge or release without an approval.
 *
 * @returns 0 if there is no way, 1 if there are some, 2 if there is none in what could be read.
 * @throws UsageError or UncheckedError if the command can't read the organization at all.
 */
export async function waysAround(org: string, options: Options, env: Env): Promise<number> {
  if (!LOGIN.test(org)) throw new UsageError('Give the organization’s login.');
  const settings = createSettingReader(env);
  const { serverUrl: githubUrl, apiUrl } = readGitHubUrls(settings);
  if (settings.faults.length > 0) throw new UsageError(settings.faults.join('\n'));
  const appId = await findAppId(options, env);
  const token = await findToken(env, githubUrl);
  // Octokit takes longer to load than everything else.
  const { readOrganization } = await import('./read-organization.ts');
  const read = await readOrganization({ org, token, apiUrl, githubUrl, appId });
  const found = findWays(read);
  const { isTTY, columns = Number.POSITIVE_INFINITY } = process.stdout;
  const screen = { columns, hasColors: isTTY && process.stdout.hasColors() };
  const all = { org: read.org, appId, ...found };
  process.stdout.write(
    options.json ? `${JSON.stringify(all, null, 2)}\n` : describeWays(read.org, found, screen),
  );
  if (found.ways.length > 0) return SOME;
  return found.unread.length > 0 ? UNREAD : NONE;
}

/** @throws UsageError if nothing says which App the check has to come from. */
async function findAppId({ appId, origin }: Options, env: Env): Promise<number> {
  const given = appId ?? env.APP_ID;
  if (given !== undefined && !/^[1-9][0-9]{0,15}$/.test(given))
    throw new UsageError('Give --app-id as the number of the GitHub App.');
  if (given !== undefined) return Number(given);
  const keyList = await readKeyList({ ...(origin !== undefined && { origin }) });
  if (keyList?.app === undefined)
    throw new UsageError('Give --origin with OTP Guard’s address, or --app-id with its GitHub App’s number.');
  return keyList.app;
}

/** GITHUB_TOKEN, or the token that GitHub's own command has for this GitHub. */
async function findToken({ GITHUB_TOKEN: token }: Env, githubUrl: string): Promise<string> {
  if (token) return token;
  const { host } = new URL(githubUrl);
  const found = await promisify(execFile)('gh', ['auth', 'token', '--hostname', host]).catch(() => null);
  const text = found?.stdout.trim();
  if (!text) throw new UsageError('Set GITHUB_TOKEN to an owner’s token, or sign in with gh auth login.');
  return text;
}
