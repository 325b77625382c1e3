import { useEffect, useState } from 'react';
import { isAbort } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import { GithubError, type RepositoriesPage } from './list-repositories-page.ts';
import { readRepositories } from './read-repositories.ts';

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
