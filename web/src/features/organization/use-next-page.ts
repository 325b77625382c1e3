import { useState } from 'react';
import { codeOf, SIGNED_OUT, sentenceOf } from '../../lib/api-client.ts';
import { useClient } from '../../lib/use-client.ts';

/** The state of loading the next page of a list, and the function that loads it. */
export type NextPage = { busy: boolean; error: string | null; load: () => void };

/** Loads the next page of a list on request. `loadPage` adds the page to the caller's state. */
export function useNextPage(loadPage: () => Promise<void>): NextPage {
  const { session } = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const load = async () => {
    setBusy(true);
    setError(null);
    try {
      await loadPage();
    } catch (cause) {
      if (SIGNED_OUT.includes(codeOf(cause))) session.signOut(sentenceOf(cause));
      else setError(sentenceOf(cause));
    }
    setBusy(false);
  };

  return { busy, error, load: () => void load() };
}
