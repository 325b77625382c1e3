import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findWays, type Way, type Ways } from '../organizations/protection/ways.ts';
import { readGitHubUrls } from '../settings/github-config.ts';
import { createSettingReader } from '../settings/setting-reader.ts';
import { printable } from './print.ts';
import { readKeyList } from './read-key-list.ts';
import { readSender, sendBaseline } from './send-baseline.ts';
import { UsageError } from './usage-error.ts';

type Options = { appId?: string; origin?: string; send?: boolean; json?: boolean };
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
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(org)) throw new UsageError('Give the organization’s login.');
  const settings = createSettingReader(env);
  const { serverUrl: githubUrl, apiUrl } = readGitHubUrls(settings);
  if (settings.faults.length > 0) throw new UsageError(settings.faults.join('\n'));
  const appId = await findAppId(options, env);
  const sender = options.send ? readSender(options, env) : null;
  const token = await findToken(env, githubUrl);
  // Octokit takes longer to load than everything else.
  const { readOrganization } = await import('./read-organization.ts');
  const read = await readOrganization({ org, token, apiUrl, githubUrl, appId });
  const found = findWays(read);
  const sent = sender && (await sendBaseline(sender, read));
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ org: read.org, appId, ...found, ...(sent && { sent }) }, null, 2)}\n`,
    );
  else process.stdout.write(describe(read.org, found));
  if (sent && !options.json)
    process.stdout.write(
      wrap(
        '',
        `Sent the bypass lists of ${sent.rulesets} rulesets. OTP Guard knows them in ${sent.filled} more repositories.`,
      ),
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

const MOST_COLUMNS = 80;
const RED = ['\u001B[31;1m', '\u001B[0m'];

/** Breaks a text between words. Only the first line has the mark, and each is indented as far as it is wide. */
function wrap(mark: string, text: string): string {
  const width = Math.min(process.stdout.columns ?? MOST_COLUMNS, MOST_COLUMNS) - mark.length;
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line]
    .map((one, index) => `${index === 0 ? mark : ' '.repeat(mark.length)}${one}\n`)
    .join('');
}

const numbered = (index: number) => `${String(index + 1).padStart(3)}. `;
const INDENT = ' '.repeat(numbered(0).length);

function describeWay(way: Way, index: number): string {
  const [red, plain] = process.stdout.isTTY && process.stdout.hasColors() ? RED : ['', ''];
  const exempt = way.actors.filter(({ mode }) => mode === 'exempt').map(({ name }) => name);
  return [
    wrap(numbered(index), way.repo === null ? way.who : `${way.repo}: ${way.who}`),
    wrap(INDENT, `${way.how} ${way.why}`),
    ...(exempt.length > 0
      ? [`${red}${wrap(INDENT, `EXEMPT: ${exempt.join(', ')}`).trimEnd()}${plain}\n`]
      : []),
  ].join('');
}

function describe(org: string, { ways, changes, unread }: Ways): string {
  const parts = [
    ...ways.map(describeWay),
    ...(changes.length > 0 ? ['\nTo close them all, in this order:\n\n'] : []),
    ...changes.map(({ change, url, closes }, index) =>
      [
        wrap(numbered(index), change),
        `${INDENT}${printable(url)}\n`,
        wrap(INDENT, `Closes ${closes.map((one) => one + 1).join(', ')}.`),
      ].join(''),
    ),
    ...(unread.length > 0 ? ['\nCouldn’t be read with this token:\n\n'] : []),
    ...unread.map((text) => wrap('  - ', text)),
  ];
  return `${parts.join('')}${parts.length > 0 ? '\n' : ''}${wrap('', summary(org, ways.length, unread.length))}`;
}

function summary(org: string, ways: number, unread: number): string {
  const found = `${ways} ${ways === 1 ? 'way' : 'ways'} around an approval in ${org}`;
  if (unread > 0) return `Found ${found}. There may be more: some things couldn’t be read.`;
  if (ways > 0) return `Found ${found}.`;
  return `No way around an approval in ${org}, as far as an owner’s token shows it. Owners can still change these rules.`;
}
