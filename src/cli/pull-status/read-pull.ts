import { z } from 'zod';
import { CHECK_NAME } from '../../adapters/github/check-runs.ts';
import type { Fetch } from '../../adapters/github/fetch.ts';
import { type CheckState, type StatusBlock, statusBlock } from '../../contract/status.ts';
import { UncheckedError, UsageError } from '../usage-error.ts';

export type PullRef = { owner: string; repo: string; number: number };

/** A pull request's check, as GitHub shows it now. */
export type Reading = {
  /** `none` if the head has no run of our App. */
  state: CheckState | 'none';
  head: string;
  pull: 'open' | 'closed' | 'merged';
  /** The page on which a person approves; null if the run names none. */
  approval: string | null;
  /** The run's block; null if it has none that fits its state. */
  block: StatusBlock | null;
};

/** GitHub doesn't answer now. `waitMs` is how long it asks to wait; 0 if it doesn't say. */
export class NotNow extends UncheckedError {
  readonly waitMs: number;
  constructor(message: string, waitMs: number, cause?: unknown) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

const pullAnswer = z.object({
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  head: z.object({ sha: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/) }),
});

const runsAnswer = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      head_sha: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      details_url: z.string().nullish(),
      app: z.object({ id: z.number() }).nullish(),
      output: z.object({ text: z.string().nullish() }),
    }),
  ),
});

type Run = z.infer<typeof runsAnswer>['check_runs'][number];
type Access = { fetch: Fetch; apiUrl: string; token: string; appId: number };

/**
 * Makes the function that reads a pull request's check from GitHub. It remembers the last answers, and GitHub answers
 * 304 as long as they hold, which costs nothing of the token's limit.
 *
 * @throws NotNow if it may work later, UsageError if it won't.
 */
export function createPullReader(access: Access, { owner, repo, number }: PullRef): () => Promise<Reading> {
  const known = new Map<'pull' | 'runs', Known>();
  const read = async <T>(what: 'pull' | 'runs', path: string, type: z.ZodType<T>): Promise<T> => {
    const answer = await ask(access, `/repos/${owner}/${repo}/${path}`, known.get(what));
    known.set(what, answer);
    const parsed = type.safeParse(answer.body);
    if (!parsed.success) throw new NotNow('GitHub’s answer isn’t about a pull request.', 0, parsed.error);
    return parsed.data;
  };
  return async () => {
    const { state, merged, head } = await read('pull', `pulls/${number}`, pullAnswer);
    const wanted = {
      check_name: CHECK_NAME,
      app_id: String(access.appId),
      filter: 'latest',
      per_page: '100',
    };
    const path = `commits/${head.sha}/check-runs?${new URLSearchParams(wanted)}`;
    const { check_runs } = await read('runs', path, runsAnswer);
    const run = newestOf(check_runs, { appId: access.appId, head: head.sha });
    return { pull: merged ? 'merged' : state, head: head.sha, ...describeRun(run) };
  };
}

/** Any App can post a run of this name, so each run says whose it is. GitHub counts the newest. */
function newestOf(runs: Run[], { appId, head }: { appId: number; head: string }): Run | undefined {
  return runs
    .filter((run) => run.name === CHECK_NAME && run.app?.id === appId && run.head_sha === head)
    .sort((one, other) => other.id - one.id)[0];
}

/** The status and conclusion decide. A block that says something else is left from an earlier state of the run. */
function describeRun(run: Run | undefined): Pick<Reading, 'state' | 'approval' | 'block'> {
  if (!run) return { state: 'none', approval: null, block: null };
  const state = stateOf(run);
  const found = blockIn(run.output.text ?? '');
  const block = found?.state === state && found.head === run.head_sha ? found : null;
  const approval = block?.approval ?? run.details_url ?? '';
  return { state, approval: isPage(approval) ? approval : null, block };
}

/** OTP Guard completes the run of a pull request's head as a success or because of a denial. GitHub itself ends old ones. */
function stateOf({ status, conclusion }: Run): CheckState {
  if (status !== 'completed') return 'waiting';
  if (conclusion === 'success') return 'passed';
  return conclusion === 'action_required' || conclusion === 'failure' ? 'denied' : 'waiting';
}

function blockIn(text: string): StatusBlock | null {
  const [, json = ''] = /```json\n([^\n`]*)\n```\s*$/.exec(text) ?? [];
  try {
    return statusBlock.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

const isPage = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** An answer that GitHub can say is still right. */
type Known = { path: string; etag: string | null; body: unknown };

async function ask({ fetch, apiUrl, token }: Access, path: string, known?: Known): Promise<Known> {
  const etag = known?.path === path ? known.etag : null;
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': 'otp-guard',
    ...(etag && { 'if-none-match': etag }),
  };
  const answer = await fetch(`${apiUrl}${path}`, { headers }).catch((cause: unknown) => {
    throw new NotNow('GitHub can’t be reached.', 0, cause);
  });
  if (answer.status === 304 && known) return known;
  if (answer.status === 200) return { path, etag: answer.headers.get('etag'), body: await answer.json() };
  throw refusalOf(answer);
}

/** GitHub says how long to wait; without that, at least a minute (docs.github.com, "Rate limits for the REST API"). */
const LIMITED_MS = 60_000;

function refusalOf({ status, headers }: Response): Error {
  if (status === 401) return new UsageError('GitHub refuses the token.');
  const after = Number(headers.get('retry-after') ?? Number.NaN) * 1000;
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 - Date.now();
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  if (status === 429 || (status === 403 && (isUsedUp || after >= 0))) {
    const waitMs = after >= 0 ? after : isUsedUp && reset > 0 ? reset : LIMITED_MS;
    return new NotNow(`GitHub’s rate limit is reached for ${Math.ceil(waitMs / 1000)} seconds.`, waitMs);
  }
  if (status === 403 || status === 404)
    return new UsageError(
      'GitHub doesn’t show this pull request or its checks: check the name, and what the token can read.',
    );
  return new NotNow(`GitHub answered ${status}.`, 0);
}
