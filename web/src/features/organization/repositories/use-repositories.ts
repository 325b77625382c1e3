import { useEffect, useState } from 'react';
import type { Config } from '../../../lib/address/config.ts';
import { isAbort } from '../../../lib/api/api-client.ts';
import { useClient } from '../../../lib/react/use-client.ts';

type State = {
  /** The repositories that have arrived; null until the first page has. */
  found: Repositories | null;
  done: boolean;
  error: GithubError | null;
};
const START: State = { found: null, done: false, error: null };

/** The repositories of an installation, page by page, read from GitHub with the person's own token. */
export function useRepositories(installation: string) {
  const { config, session } = useClient();
  const [state, setState] = useState(START);
  const [attempt, setAttempt] = useState(1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads them again.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const accessToken = session.accessToken();
    const load = async () => {
      const pages = readRepositories({ config, fetch: window.fetch, accessToken, signal }, installation);
      try {
        for await (const found of pages) setState({ found, done: false, error: null });
        setState((now) => ({ ...now, done: true }));
      } catch (cause) {
        if (isAbort(cause)) return;
        const error = cause instanceof GithubError ? cause : new GithubError(0, String(cause));
        if (error.status === 401) session.signOut(error.message);
        else setState((now) => ({ ...now, error, done: true }));
      }
    };
    setState(START);
    if (accessToken) void load();
    return () => leaving.abort();
  }, [config, session, installation, attempt]);

  return { ...state, reload: () => setAttempt((now) => now + 1) };
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
