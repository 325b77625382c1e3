import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { safeUrl } from './safe-url.ts';
import { useClient } from './use-client.ts';

/**
 * Leads on to an address that did not come from this code, and replaces this page in the history. An address that may
 * not be followed leads to `otherwise`.
 */
export function useGo(otherwise = '/'): (address: string) => void {
  const { config } = useClient();
  const navigate = useNavigate();
  return useCallback(
    (address) => {
      const target = safeUrl(address, config) ?? otherwise;
      if (target.startsWith('/')) void navigate(target, { replace: true });
      else window.location.replace(target);
    },
    [config, navigate, otherwise],
  );
}
