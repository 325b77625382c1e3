import { useEffect, useState } from 'react';
import { useRecordStore } from '../../../lib/record-store.ts';
import { suggestLogins } from './read-log.ts';

const TYPING_PAUSE_MS = 200;

/** Logins that contain the typed text, read when typing pauses. Empty on errors: the field works without them. */
export function useSuggestions(org: string, typed: string): string[] {
  const store = useRecordStore();
  const [logins, setLogins] = useState<string[]>([]);

  useEffect(() => {
    let isStale = false;
    const timer = window.setTimeout(async () => {
      const found = typed ? await suggestLogins(store, org, typed).catch(() => []) : [];
      if (!isStale) setLogins(found);
    }, TYPING_PAUSE_MS);
    return () => {
      isStale = true;
      window.clearTimeout(timer);
    };
  }, [store, org, typed]);

  return logins;
}
