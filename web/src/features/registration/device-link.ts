import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../../lib/page-context.ts';
import { useClient } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';

/** The key in session storage. Logging out clears it. */
const KEY = 'device-link';
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a device link, for one organization (by its GitHub id). */
export type DeviceLink = { orgID: string; secret: string };

/** Validates a device link stored in the tab; null if it isn't one. */
function readDeviceLink(stored: unknown): DeviceLink | null {
  const { orgID, secret } = (stored ?? {}) as Partial<DeviceLink>;
  if (typeof orgID !== 'string' || typeof secret !== 'string' || !SECRET.test(secret)) return null;
  return { orgID, secret };
}

/**
 * Moves the link's secret from the fragment into session storage, where it survives a sign-in, and the organization into
 * the query. Returns false until the address is clean.
 */
export function useTakeDeviceLink(): boolean {
  const { tab } = useClient();
  const { hash } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    if (!hash) return;
    const given = new URLSearchParams(hash.slice(1));
    const [owner, ownerID, secret] = ['org', 'orgID', 'secret'].map((name) => given.get(name) ?? '');
    const link = readDeviceLink({ orgID: ownerID, secret });
    if (link) tab.setItem(KEY, JSON.stringify(link));
    const query = { owner: owner ?? '', ownerID: ownerID ?? '' };
    void navigate(keepQuery('/second-device', '', query), { replace: true });
  }, [hash, tab, navigate]);

  return !hash;
}

/** The link that this tab was opened with; null if there is none, or it was used. */
export function useDeviceLink() {
  const { tab } = useClient();
  const [link] = useTabState(KEY, readDeviceLink);
  return { link, forget: () => tab.removeItem(KEY) };
}
