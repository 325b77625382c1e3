import { useEffect } from 'react';
import { useRecordStore } from '../react/record-store.ts';
import { useAnswer, useClient, useUser } from '../react/use-client.ts';
import { type Authenticator, listOwnAuthenticators } from './authenticator.ts';
import { readEnrolment } from './enrolment.ts';

/** The record store's events usually are faster, but its connection can break. */
const POLL_MS = 30_000;

/**
 * How an organization guards first authenticators, and who waits there.
 *
 * @param isLive Whether to read it again when one of the person's authenticators changes, until the page is left. The
 *   record store says whether one did, because the enrolment costs requests to GitHub.
 */
export function useEnrolment(orgID: string, isLive = false) {
  const { api } = useClient();
  const store = useRecordStore();
  const { id: userId } = useUser();
  const { loaded, setLoaded, reload } = useAnswer('/organization-enrolment', { orgID });

  useEffect(() => {
    if (!isLive) return;
    let isOver = false;
    let seen: string | null = null;
    const refresh = async () => {
      // Without an answer, the page keeps what it shows, and asks again later.
      const value = await readEnrolment(api, orgID).catch(() => null);
      if (value && !isOver) setLoaded({ status: 'ok', value });
    };
    const readIfChanged = async () => {
      if (isOver || document.visibilityState === 'hidden') return;
      const now = await listOwnAuthenticators(store, userId).then(stateOf, () => seen);
      if (now === seen || isOver) return;
      seen = now;
      await refresh();
    };
    const timer = window.setInterval(() => void readIfChanged(), POLL_MS);
    // A vouch for an authenticator that counts already changes none of them.
    const onVisible = () => document.visibilityState === 'visible' && void refresh();
    document.addEventListener('visibilitychange', onVisible);
    const subscribed = store
      .collection('webauthn')
      .subscribe('*', () => void readIfChanged())
      .catch(() => null);
    // A change between the first answer and the subscription has no event.
    void subscribed.then(readIfChanged);
    return () => {
      isOver = true;
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
      void subscribed.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
    };
  }, [api, store, userId, orgID, isLive, setLoaded]);

  return { loaded, reload };
}

const stateOf = (authenticators: Authenticator[]) =>
  authenticators.map(({ id, pending }) => `${id} ${pending}`).join();
