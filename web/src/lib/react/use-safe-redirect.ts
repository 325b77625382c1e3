import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PageState } from '../address/page-state.ts';
import { safeUrl } from '../address/safe-url.ts';
import { useClient } from './use-client.ts';

/**
 * Goes to an address that didn't come from this code and replaces this page in the history. If `safeUrl` refuses the
 * address, goes to `fallback` instead. A page of the dashboard learns from the history's state what was just done.
 */
export function useSafeRedirect(fallback = '/'): (address: string, state?: PageState) => void {
  const { config } = useClient();
  const navigate = useNavigate();
  return useCallback(
    (address, state) => {
      const target = safeUrl(address, config) ?? fallback;
      if (target.startsWith('/')) void navigate(target, { replace: true, state });
      else window.location.replace(target);
    },
    [config, navigate, fallback],
  );
}
