import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { safeUrl } from './safe-url.ts';
import { useClient } from './use-client.ts';

/**
 * Goes to an address that didn't come from this code and replaces this page in the history. If `safeUrl` refuses the
 * address, goes to `fallback` instead.
 */
export function useSafeRedirect(fallback = '/'): (address: string) => void {
  const { config } = useClient();
  const navigate = useNavigate();
  return useCallback(
    (address) => {
      const target = safeUrl(address, config) ?? fallback;
      if (target.startsWith('/')) void navigate(target, { replace: true });
      else window.location.replace(target);
    },
    [config, navigate, fallback],
  );
}
