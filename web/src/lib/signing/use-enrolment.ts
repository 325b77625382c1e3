import { useEffect, useState } from 'react';
import { useAnswer, useLoaded } from '../react/queries.ts';
import { useRecordStore } from '../react/record-store.ts';
import { useUser } from '../react/use-client.ts';
import { type Authenticator, listOwnAuthenticators } from './authenticator.ts';

/** The record store's events usually are faster, but its connection can break. */
const POLL_MS = 30_000;

/**
 * Reads how an organization guards first authenticators, and who waits there.
 *
 * @param isLive True to read it again when one of the person's authenticators changes, until the page is left. The
 *   record store says whether one did, because the enrolment costs requests to GitHub.
 */
export function useEnrolment(orgID: string, isLive = false) {
  const store = useRecordStore();
  const { id } = useUser();
  // A vouch for an authenticator that counts already changes none of them.
  const refetchOnWindowFocus = isLive && 'always';
  const { loaded, reload, refresh } = useAnswer(
    '/organization-enrolment',
    { orgID },
    { refetchOnWindowFocus },
  );
  const [isSubscribed, setSubscribed] = useState(false);
  const own = useLoaded(
    ['state of own authenticators', id],
    () => listOwnAuthenticators(store, id).then(stateOf),
    // A change between the first answer and the subscription has no event.
    { enabled: isSubscribed && loaded.status === 'ok', refetchInterval: POLL_MS },
  );

  const { refresh: readOwn } = own;
  useEffect(() => {
    if (!isLive) return;
    const subscribed = store
      .collection('webauthn')
      .subscribe('*', () => void (document.visibilityState === 'visible' && readOwn()))
      .catch(() => null);
    void subscribed.then(() => setSubscribed(true));
    return () => void subscribed.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
  }, [store, isLive, readOwn]);

  const state = own.loaded.status === 'ok' ? own.loaded.value : null;
  useEffect(() => {
    if (state !== null) void refresh();
  }, [state, refresh]);
  return { loaded, reload };
}

const stateOf = (authenticators: Authenticator[]) =>
  authenticators.map(({ id, pending }) => `${id} ${pending}`).join();
