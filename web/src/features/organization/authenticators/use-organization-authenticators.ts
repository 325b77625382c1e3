import { useCallback } from 'react';
import type { AuthenticatorCollection } from '../../../lib/authenticator.ts';
import { listOrganizationAuthenticators } from '../../../lib/authenticator-records.ts';
import type { RecordStore } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import { useNextPage } from '../use-next-page.ts';
import { addPage, mergeNewest, NO_PAGES, type ReadPages } from './merge-collections.ts';

type Collections = Record<AuthenticatorCollection, ReadPages>;
const START: Collections = { webauthn: NO_PAGES, totps: NO_PAGES };

/** The authenticators of an organization (by its record id), page by page. */
export function useOrganizationAuthenticators(org: string) {
  const { store } = useClient();
  const { loaded, setLoaded, reload } = useLoaded(
    useCallback(() => readNextPages(store, org, START), [store, org]),
  );
  const nextPage = useNextPage(async () => {
    if (loaded.status !== 'ok') return;
    setLoaded({ status: 'ok', value: await readNextPages(store, org, loaded.value) });
  });
  const collections = loaded.status === 'ok' ? Object.values(loaded.value) : [];
  const hasMore = collections.some((collection) => collection.hasMore);
  return { loaded, reload, nextPage, hasMore, authenticators: mergeNewest(collections) };
}

/** Reads the next page of each collection that has one. */
async function readNextPages(
  store: RecordStore,
  org: string,
  collections: Collections,
): Promise<Collections> {
  const readNext = async (name: AuthenticatorCollection): Promise<ReadPages> => {
    const read = collections[name];
    if (!read.hasMore) return read;
    return addPage(read, await listOrganizationAuthenticators(store, name, org, read.pages + 1));
  };
  const [webauthn, totps] = await Promise.all([readNext('webauthn'), readNext('totps')]);
  return { webauthn, totps };
}
