import { useQuery } from '@tanstack/react-query';
import type { Config } from '../../../lib/address/config.ts';
import { ENDED, isAbort } from '../../../lib/api/api-client.ts';
import { cacheOf } from '../../../lib/react/queries.ts';
import { useClient } from '../../../lib/react/use-client.ts';

/** The repositories of an installation, page by page, read from GitHub with the person's own token. */
export function useRepositories(installation: string) {
  const client = useClient();
  const cache = cacheOf(client);
  const queryKey = ['repositories', installation];
  const { data, error, isFetching } = useQuery<Repositories, GithubError>(
    { queryKey, queryFn: ({ signal }) => readAll(signal) },
    cache,
  );
  const readAll = async (signal: AbortSignal) => {
    const { config, session } = client;
    const accessToken = session.accessToken();
    if (!accessToken) throw new GithubError(401, ENDED);
    const pages = readRepositories({ config, fetch: window.fetch, accessToken, signal }, installation);
    let all: Repositories = { total: 0, selection: 'selected', repositories: [] };
    try {
      for await (all of pages) if (!signal.aborted) cache.setQueryData(queryKey, all);
    } catch (cause) {
      if (cause instanceof GithubError && cause.status === 401) session.signOut(cause.message);
      throw isAbort(cause) || cause instanceof GithubError ? cause : new GithubError(0, String(cause));
    }
    return all;
  };
  return {
    /** The repositories that have arrived; null until the first page has. */
    found: data ?? null,
    done: !isFetching,
    error,
    reload: () => void cache.resetQueries({ queryKey }),
  };
}

export type Repository = {
  name: string;
  fullName: string;
  htmlUrl: string;
  isPrivate: boolean;
  archived: boolean;
};

/** The first repositories of an installation; `total` counts all of them. */
type Repositories = { total: number; selection: 'all' | 'selected'; repositories: Repository[] };

/** GitHub refused, or didn't answer (`status` 0). `message` is a sentence for the person. */
export class GithubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GithubError';
    this.status = status;
  }
}

type Deps = {
  config: Pick<Config, 'githubApi'>;
  fetch: typeof fetch;
  /** GitHub's token. */
  accessToken: string;
  signal: AbortSignal;
};

type Answer = {
  total_count?: number;
  repository_selection?: string;
  repositories?: Record<string, unknown>[];
  message?: unknown;
};

const PER_PAGE = 100;
const LONGEST_MESSAGE = 300;

/**
 * Reads the repositories of an installation that the person can see, in GitHub's order. Yields all that have arrived
 * after each page. Rejects with a `GithubError`.
 * https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
 */
export async function* readRepositories(deps: Deps, installation: string): AsyncGenerator<Repositories> {
  const path = `/user/installations/${encodeURIComponent(installation)}/repositories`;
  const repositories: Repository[] = [];
  let total = 0;
  for (let page = 1; page === 1 || (page - 1) * PER_PAGE < total; page += 1) {
    const response = await send(deps, `${path}?per_page=${PER_PAGE}&page=${page}`);
    const answer: Answer | null = await response.json().catch(() => null);
    if (!response.ok) throw new GithubError(response.status, refusalText(response.status, answer));
    total = answer?.total_count ?? 0;
    repositories.push(...(answer?.repositories ?? []).map(readRepository));
    const selection = answer?.repository_selection === 'all' ? 'all' : 'selected';
    yield { total, selection, repositories: [...repositories] };
  }
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
    throw new GithubError(0, "GitHub didn't answer. Check your connection and try again.");
  }
}

function refusalText(status: number, answer: Answer | null): string {
  if (status === 401) return 'Not authorized with GitHub';
  const message = typeof answer?.message === 'string' && answer.message.trim();
  return `GitHub said: ${(message || `status ${status}`).slice(0, LONGEST_MESSAGE)}`;
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
