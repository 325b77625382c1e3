import type { Config } from '../../../lib/config.ts';

export type Repository = {
  name: string;
  fullName: string;
  htmlUrl: string;
  isPrivate: boolean;
  archived: boolean;
};

/** A page of repositories; `total` counts those of all pages. */
export type RepositoriesPage = { total: number; sharesAll: boolean; repositories: Repository[] };

/** GitHub refused, or didn't answer (`status` 0). `message` is a sentence for the person. */
export class GithubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GithubError';
    this.status = status;
  }
}

export type Deps = {
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

export const PER_PAGE = 100;
const LONGEST_MESSAGE = 300;

/**
 * Reads one page of an installation's repositories that the person can see. Rejects with a `GithubError`.
 * https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
 */
export async function listRepositoriesPage(
  deps: Deps,
  installation: string,
  page: number,
): Promise<RepositoriesPage> {
  const path = `/user/installations/${encodeURIComponent(installation)}/repositories`;
  const response = await send(deps, `${path}?per_page=${PER_PAGE}&page=${page}`);
  const answer: Answer | null = await response.json().catch(() => null);
  if (!response.ok) throw new GithubError(response.status, refusalText(response.status, answer));
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
    throw new GithubError(0, "GitHub didn't answer. Check your connection and try again.");
  }
}

function refusalText(status: number, answer: Answer | null): string {
  if (status === 401) return 'Not authorized with GitHub';
  const message = typeof answer?.message === 'string' && answer.message.trim();
  // Array.from cuts between characters; slicing the string could cut a surrogate pair in half.
  const characters = Array.from(message || `status ${status}`);
  return `GitHub said: ${characters.slice(0, LONGEST_MESSAGE).join('')}`;
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
