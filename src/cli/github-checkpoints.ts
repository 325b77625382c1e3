import pMap from 'p-map';
import { ProbotOctokit } from 'probot';
import { CHECK_NAME } from '../adapters/github/check-runs.ts';
import { fetchFromGitHub } from '../adapters/github/fetch.ts';
import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import type { KeptCheckpoint } from '../proofs/audit-export.ts';
import { findCheckpoints } from '../proofs/checkpoint.ts';
import { claimed, type Finding, failed } from '../proofs/findings.ts';
import { countOf } from '../proofs/trusted-log.ts';
import { readEnvironmentsProxy } from '../settings/outgoing-proxy.ts';
import { UnreadableError } from './usage-error.ts';

type Repository = {
  owner: string;
  repo: string;
  token?: string | undefined;
  apiUrl: string;
  /** GitHub's id of the server's App. Nobody else writes its check runs. */
  app?: number | undefined;
};

const ANSWER_MS = 20_000;
const AT_ONCE = 4;
const PER_PAGE = 100;
/** One request each, of 5,000 an hour. The newest ones count: a checkpoint is also about every entry before it. */
const MOST_COMMITS = 3_000;

/**
 * Reads the checkpoints from the check runs of these commits, and of the heads of the 100 pull requests that changed
 * last: a log that was rolled back doesn't name those any more.
 *
 * @throws UnreadableError if GitHub doesn't show them: an audit that can't read them isn't one.
 */
export async function readGitHubCheckpoints(
  repository: Repository,
  commits: string[],
): Promise<{ checkpoints: KeptCheckpoint[]; findings: Finding[] }> {
  await goThroughProxy(readEnvironmentsProxy());
  const octokit = createClient(repository);
  const heads = await readHeads(octokit, repository);
  const all = [...new Set([...heads, ...commits.slice(-MOST_COMMITS)])];
  const found = await pMap(all, (sha) => readCommit(octokit, repository, sha), { concurrency: AT_ONCE });
  const checkpoints = found.flatMap((one) => one ?? []);
  const unknown = found.filter((one) => one === null).length;
  const without = found.filter((one) => one?.length === 0).length;
  return { checkpoints, findings: describe({ checkpoints, unknown, without }) };
}

/** A client that only waits for answers: it logs nothing, and sends no request again. Without a token, it's anybody's. */
export function createClient({ token, apiUrl }: Pick<Repository, 'token' | 'apiUrl'>): ProbotOctokit {
  const quiet = () => undefined;
  return new ProbotOctokit({
    ...(token !== undefined && token !== '' && { auth: { token } }),
    baseUrl: apiUrl,
    request: { fetch: fetchFromGitHub(ANSWER_MS) },
    throttle: { enabled: false },
    retry: { enabled: false },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet } as never,
  });
}

async function readHeads(octokit: ProbotOctokit, { owner, repo }: Repository): Promise<string[]> {
  const { data } = await octokit.rest.pulls
    .list({ owner, repo, state: 'all', sort: 'updated', direction: 'desc', per_page: PER_PAGE })
    .catch(explain);
  return data.map(({ head }) => head.sha);
}

/** Null if GitHub doesn't know the commit. */
async function readCommit(
  octokit: ProbotOctokit,
  { owner, repo, app }: Repository,
  ref: string,
): Promise<KeptCheckpoint[] | null> {
  const about = { owner, repo, ref, check_name: CHECK_NAME, filter: 'all', per_page: PER_PAGE } as const;
  const runs = await octokit
    .paginate(octokit.rest.checks.listForRef, about)
    .catch((error: unknown) => (statusOf(error) === 422 ? null : explain(error)));
  return (
    runs?.flatMap(({ output, html_url, app: by }) =>
      findCheckpoints(output.summary ?? '').map((checkpoint) => ({
        checkpoint,
        from: `GitHub (${html_url ?? ref})`,
        isByAnyone: app === undefined || by?.id !== app,
      })),
    ) ?? null
  );
}

function describe(read: { checkpoints: KeptCheckpoint[]; unknown: number; without: number }): Finding[] {
  const { checkpoints, unknown, without } = read;
  const findings = [];
  if (unknown > 0)
    findings.push(claimed('github', `GitHub no longer knows ${countOf(unknown, 'commit')} of the log.`));
  if (without > 0)
    findings.push(
      claimed(
        'github',
        `GitHub shows no checkpoint for ${countOf(without, 'commit')}. It keeps checks for about 400 days.`,
      ),
    );
  if (checkpoints.length === 0)
    findings.push(failed('github', 'GitHub shows no checkpoint to compare the log with.'));
  return findings;
}

const statusOf = (error: unknown) => (error as { status?: unknown } | null)?.status;

/** @throws UnreadableError always. */
function explain(error: unknown): never {
  const { response } = error as { response?: { headers?: Record<string, string> } };
  const isLimit = response?.headers?.['x-ratelimit-remaining'] === '0' || response?.headers?.['retry-after'];
  const status = statusOf(error);
  if (status === 429 || (status === 403 && isLimit))
    throw unreadable('GitHub’s rate limit is reached. Set GITHUB_TOKEN, or try again in an hour.', error);
  if (status === 401) throw unreadable('GitHub refuses the token in GITHUB_TOKEN.', error);
  if (status === 403)
    throw unreadable('GITHUB_TOKEN may not read the checks and pull requests of this repository.', error);
  if (status === 404)
    throw unreadable('GitHub doesn’t show this repository: check its name, and set GITHUB_TOKEN.', error);
  throw unreadable(
    `GitHub can’t be read${typeof status === 'number' ? `: it answered ${status}` : ''}.`,
    error,
  );
}

const unreadable = (text: string, cause: unknown) => new UnreadableError(text, { cause });
