import { useEffect, useState } from 'react';
import { isAbort } from '../../../lib/api-client.ts';
import type { Config } from '../../../lib/config.ts';
import { useClient } from '../../../lib/use-client.ts';

type State = {
  /** Null until the first page has arrived. */
  found: RepositoriesPage | null;
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
    const deps = {
      config,
      fetch: window.fetch.bind(window),
      accessToken: session.accessToken(),
      signal: leaving.signal,
    };
    const load = async () => {
      try {
        await readRepositories(deps, installation, (found) => {
          if (!leaving.signal.aborted) setState((now) => ({ ...now, found }));
        });
        if (!leaving.signal.aborted) setState((now) => ({ ...now, done: true }));
      } catch (cause) {
        if (leaving.signal.aborted || isAbort(cause)) return;
        const error = cause instanceof GithubError ? cause : new GithubError(0, String(cause));
        if (error.status === 401) session.signOut(error.message);
        else setState((now) => ({ ...now, error, done: true }));
      }
    };
    setState(START);
    if (deps.accessToken) void load();
    return () => leaving.abort();
  }, [config, session, installation, attempt]);

  return { ...state, reload: () => setAttempt((now) => now + 1) };
}

const CONCURRENCY = 3;

/**
 * Reads the repositories of an installation that the person can see, in GitHub's order. Calls `onProgress` with the
 * list so far after each page. Rejects with a `GithubError`.
 */
export async function readRepositories(
  deps: Deps,
  installation: string,
  onProgress: (repositories: RepositoriesPage) => void,
): Promise<void> {
  const first = await listRepositoriesPage(deps, installation, 1);
  const pages: (RepositoriesPage['repositories'] | undefined)[] = [first.repositories];
  const notify = () => onProgress({ ...first, repositories: upToGap(pages) });
  notify();

  const last = Math.ceil(first.total / PER_PAGE);
  let next = 2;
  const worker = async () => {
    while (next <= last) {
      const page = next++;
      pages[page - 1] = (await listRepositoriesPage(deps, installation, page)).repositories;
      notify();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The items up to the first page that hasn't arrived, so that items on the screen never move. */
export function upToGap<Item>(pages: (Item[] | undefined)[]): Item[] {
  const gap = Array.from(pages).indexOf(undefined);
  return pages.slice(0, gap < 0 ? pages.length : gap).flatMap((page) => page ?? []);
}

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
 * Reads one page of an installation's repositories that the person can see. Rejects with a `GithubError`.
 * https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
 */
async function listRepositoriesPage(
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
