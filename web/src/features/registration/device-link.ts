import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../../lib/address/page-context.ts';
import { useClient } from '../../lib/react/use-client.ts';
import { useTabState } from '../../lib/react/use-tab-state.ts';

/** The key in session storage. Logging out clears it. */
const KEY = 'device-link';
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a device link, for one organization (by its GitHub id). */
export type DeviceLink = { orgID: string; secret: string };

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
    const [owner = '', orgID = '', secret = ''] = ['org', 'orgID', 'secret'].map(
      (name) => given.get(name) ?? '',
    );
    if (SECRET.test(secret)) tab.setItem(KEY, JSON.stringify({ orgID, secret } satisfies DeviceLink));
    void navigate(keepQuery('/second-device', '', { owner, ownerID: orgID }), { replace: true });
  }, [hash, tab, navigate]);

  return !hash;
}

/** The link that this tab was opened with; null if there is none, or it was used. */
export function useDeviceLink() {
  const { tab } = useClient();
  const [link] = useTabState<DeviceLink>(KEY);
  return { link, forget: () => tab.removeItem(KEY) };
}
