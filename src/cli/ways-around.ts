import { LOGIN } from '../contract/fields.ts';
import { findWays } from '../protection/ways.ts';
import { describeWays } from './describe-ways.ts';
import {
  type AppOptions,
  findGitHub,
  findToken,
  type GitHubEnv,
  givenAppId,
  publishedAppId,
} from './github-access.ts';
import { UsageError } from './usage-error.ts';

type Options = AppOptions & { json?: boolean };

/** Exit codes: no way, some ways, and none that could be read although a part couldn't. */
const [NONE, SOME, UNREAD] = [0, 1, 2];

/**
 * `otp-guard ways-around`: prints everybody and everything that can merge or release without an approval.
 *
 * @returns 0 if there is no way, 1 if there are some, 2 if there is none in what could be read.
 * @throws UsageError or UncheckedError if the command can't read the organization at all.
 */
export async function waysAround(org: string, options: Options, env: GitHubEnv): Promise<number> {
  if (!LOGIN.test(org)) throw new UsageError('Give the organization’s login.');
  const urls = findGitHub(env);
  const { serverUrl: githubUrl, apiUrl } = urls;
  const appId = givenAppId(options, env) ?? (await publishedAppId(options));
  const token = await findToken(env, urls, 'an owner’s token');
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
