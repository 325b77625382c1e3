import { useCallback } from 'react';
import { type Collection, listAuthenticatorsOf } from '../../../lib/authenticator-records.ts';
import type { RecordStore } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import { useMore } from '../use-more.ts';
import { addPage, NOTHING_READ, newestOf, type Read } from './newest-pages.ts';

type Reads = Record<Collection, Read>;
const BEGIN: Reads = { webauthn: NOTHING_READ, totps: NOTHING_READ };

/** An organization's authenticators (by its record id) as far as they were asked for, and the way to more. */
export function useOrganizationAuthenticators(org: string) {
  const { store } = useClient();
  const { loaded, setLoaded, reload } = useLoaded(
    useCallback(() => nextPages(store, org, BEGIN), [store, org]),
  );
  const more = useMore(async () => {
    if (loaded.status !== 'ok') return;
    setLoaded({ status: 'ok', value: await nextPages(store, org, loaded.value) });
  });
  const reads = loaded.status === 'ok' ? Object.values(loaded.value) : [];
  return { loaded, reload, more, isMore: reads.some(({ more }) => more), authenticators: newestOf(reads) };
}

/** The next page of each collection that goes on, at once. */
async function nextPages(store: RecordStore, org: string, reads: Reads): Promise<Reads> {
  const next = async (collection: Collection): Promise<Read> => {
    const read = reads[collection];
    if (!read.more) return read;
    return addPage(read, await listAuthenticatorsOf(store, collection, org, read.page + 1));
  };
  const [webauthn, totps] = await Promise.all([next('webauthn'), next('totps')]);
  return { webauthn, totps };
}
