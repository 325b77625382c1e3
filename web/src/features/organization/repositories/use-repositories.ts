import { useEffect, useState } from 'react';
import { isAbort } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import {
  type Deps,
  GithubError,
  listRepositoriesPage,
  PER_PAGE,
  type RepositoriesPage,
} from './list-repositories-page.ts';

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
