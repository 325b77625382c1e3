import { fetchFromGitHub } from '../adapters/github/fetch.ts';
import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import { readEnvironmentsProxy } from '../settings/outgoing-proxy.ts';
import { systemClock, systemSleep } from '../shared/clock.ts';
import { type AppOptions, findGitHub, findToken, type GitHubEnv } from './github-access.ts';
import { describeReading, parsePullRef, toJson } from './pull-status/describe.ts';
import { findAppId } from './pull-status/kept-apps.ts';
import { createPullReader, type PullRef, type Reading } from './pull-status/read-pull.ts';
import { type WaitDeps, waitForEnd } from './pull-status/wait.ts';
import { UsageError } from './usage-error.ts';

type Options = AppOptions & { wait?: string; json?: boolean };

/** Exit codes. 1 is an error of ours, and 2 a wrong command line or a GitHub that can't be read. */
const CODES: Record<Reading['state'], number> = { passed: 0, waiting: 3, denied: 4, none: 6 };

const ANSWER_MS = 20_000;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * UNITS.h;

/**
 * `otp-guard status`: prints the state of a pull request's check, from GitHub alone, and waits for its end if asked to.
 *
 * @returns 0 if it passed, 3 if it waits, 4 if it was denied, 6 without a run of ours.
 * @throws UsageError if the command line is wrong or GitHub can't be read.
 */
export async function status(
  pull: string,
  options: Options,
  env: GitHubEnv,
  timing: Omit<WaitDeps, 'read'> = systemTiming,
): Promise<number> {
  const ref = parsePullRef(pull);
  const ms = parseWait(options.wait);
  const read = await createReader(ref, options, env);
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const found = await waitForEnd({ ...timing, read }, { ms, onNews: say });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(toJson(ref, found))}\n`
      : describeReading(ref, found)
          .map((line) => `${line}\n`)
          .join(''),
  );
  return CODES[found.state];
}

export const systemTiming: Omit<WaitDeps, 'read'> = {
  sleep: systemSleep,
  elapsed: systemClock.elapsed,
  random: Math.random,
};

/** Finds the App and the token, and makes the function that reads this pull request. */
export async function createReader(
  ref: PullRef,
  options: AppOptions,
  env: GitHubEnv,
): Promise<() => Promise<Reading>> {
  const urls = findGitHub(env);
  const appId = await findAppId(options, env, urls.serverUrl);
  const token = await findToken(env, urls, 'a token that can read the repository');
  await goThroughProxy(readEnvironmentsProxy());
  return createPullReader({ fetch: fetchFromGitHub(ANSWER_MS), apiUrl: urls.apiUrl, token, appId }, ref);
}

function parseWait(wait: string | undefined): number {
  if (wait === undefined) return 0;
  const [, count, unit] = /^([1-9][0-9]{0,4})([smh])$/.exec(wait) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (!(ms <= LONGEST_MS)) throw new UsageError('Give --wait as a time such as 30m, at most 24h.');
  return ms;
}
