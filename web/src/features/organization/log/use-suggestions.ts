import { useEffect, useState } from 'react';
import type { RecordStore } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';

const PAUSE_MS = 200;
const MOST = 10;

/** Logins of an organization's members (by its record id) that contain what was typed. */
export async function suggest(store: RecordStore, org: string, typed: string): Promise<string[]> {
  const { items } = await store.collection<{ login?: string }>('org_members').getList(1, MOST, {
    filter: store.filter('org = {:org} && login ~ {:typed}', { org, typed }),
    sort: 'login',
    fields: 'user,login',
    skipTotal: true,
  });
  return items.flatMap(({ login }) => (login ? [login] : []));
}

/** Asked for once the person pauses. None where the store does not answer: the field works without. */
export function useSuggestions(org: string, typed: string): string[] {
  const { store } = useClient();
  const [found, setFound] = useState<string[]>([]);

  useEffect(() => {
    let over = false;
    const timer = window.setTimeout(async () => {
      const logins = typed ? await suggest(store, org, typed).catch(() => []) : [];
      if (!over) setFound(logins);
    }, PAUSE_MS);
    return () => {
      over = true;
      window.clearTimeout(timer);
    };
  }, [store, org, typed]);

  return found;
}
