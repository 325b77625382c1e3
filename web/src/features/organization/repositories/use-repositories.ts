import { useEffect, useState } from 'react';
import { isAbort } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import { GithubError, type Repositories, readRepositories } from './repositories.ts';

type State = {
  /** Null until the first page is here. */
  found: Repositories | null;
  done: boolean;
  error: GithubError | null;
};
const START: State = { found: null, done: false, error: null };

/** The repositories of an installation as they come, asked of GitHub with the person's own token. */
export function useRepositories(installation: string) {
  const { config, session } = useClient();
  const [state, setState] = useState(START);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again.
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
        if (error.status === 401) session.leave(error.message);
        else setState((now) => ({ ...now, error, done: true }));
      }
    };
    setState(START);
    if (deps.accessToken) void load();
    return () => leaving.abort();
  }, [config, session, installation, round]);

  return { ...state, reload: () => setRound((now) => now + 1) };
}
