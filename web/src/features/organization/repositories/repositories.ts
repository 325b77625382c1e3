import type { Config } from '../../../lib/config.ts';

export type Repository = {
  name: string;
  fullName: string;
  htmlUrl: string;
  isPrivate: boolean;
  archived: boolean;
};

/** What is known so far: `total` is how many there are, `repositories` those that came, without a gap. */
export type Repositories = { total: number; sharesAll: boolean; repositories: Repository[] };

/** GitHub refused, or did not answer (`status` 0). `message` is one sentence for the person. */
export class GithubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GithubError';
    this.status = status;
  }
}

const PER_PAGE = 100;
const AT_ONCE = 3;
const LONGEST_ANSWER = 300;

type Deps = {
  config: Pick<Config, 'githubApi'>;
  fetch: typeof fetch;
  /** GitHub's token. */
  accessToken: string;
  signal: AbortSignal;
};

/**
 * The repositories that an installation was given, as far as the person may see them, in GitHub's order. `onProgress`
 * gets the list as it grows. Rejects with a `GithubError`.
 */
export async function readRepositories(
  deps: Deps,
  installation: string,
  onProgress: (repositories: Repositories) => void,
): Promise<void> {
  const first = await readPage(deps, installation, 1);
  const pages: (Repository[] | undefined)[] = [first.repositories];
  const report = () => onProgress({ ...first, repositories: withoutGap(pages) });
  report();

  const last = Math.ceil(first.total / PER_PAGE);
  let next = 2;
  const work = async () => {
    while (next <= last) {
      const page = next++;
      pages[page - 1] = (await readPage(deps, installation, page)).repositories;
      report();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The pages up to the first that has not come yet: what is shown never moves. */
export function withoutGap<Item>(pages: (Item[] | undefined)[]): Item[] {
  const gap = Array.from(pages).indexOf(undefined);
  return pages.slice(0, gap < 0 ? pages.length : gap).flatMap((page) => page ?? []);
}

type Answer = {
  total_count?: number;
  repository_selection?: string;
  repositories?: Record<string, unknown>[];
  message?: unknown;
};

// https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
async function readPage(deps: Deps, installation: string, page: number): Promise<Repositories> {
  const path = `/user/installations/${encodeURIComponent(installation)}/repositories`;
  const response = await send(deps, `${path}?per_page=${PER_PAGE}&page=${page}`);
  const answer: Answer | null = await response.json().catch(() => null);
  if (!response.ok) throw new GithubError(response.status, refusal(response.status, answer));
  return {
    total: answer?.total_count ?? 0,
    sharesAll: answer?.repository_selection === 'all',
    repositories: (answer?.repositories ?? []).map(readRepository),
  };
}

async function send({ config, fetch, accessToken, signal }: Deps, path: string): Promise<Response> {
  try {
    return await fetch(`${config.githubApi}${path}`, {
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${accessToken}` },
      cache: 'no-store',
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new GithubError(0, 'GitHub did not answer. Check your connection and try again.');
  }
}

function refusal(status: number, answer: Answer | null): string {
  if (status === 401) return 'Not authorized with GitHub';
  const said = typeof answer?.message === 'string' && answer.message.trim();
  // Cut between characters, not within one.
  return `GitHub said: ${Array.from(said || `status ${status}`)
    .slice(0, LONGEST_ANSWER)
    .join('')}`;
}

function readRepository(raw: Record<string, unknown>): Repository {
  return {
    name: String(raw.name ?? ''),
    fullName: String(raw.full_name ?? ''),
    htmlUrl: String(raw.html_url ?? ''),
    isPrivate: raw.private === true,
    archived: raw.archived === true,
  };
}

/** Those whose name contains what was typed, in any case. */
export function filterByName(repositories: Repository[], typed: string): Repository[] {
  const wanted = typed.trim().toLowerCase();
  return wanted ? repositories.filter(({ name }) => name.toLowerCase().includes(wanted)) : repositories;
}
