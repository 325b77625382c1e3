import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect } from 'react';

/**
 * Loads what a ceremony needs when the page opens and when `load` changes. Leaving the page aborts the request and
 * cancels the ceremony.
 */
export function useCeremony(load: (signal: AbortSignal) => Promise<void>) {
  useEffect(() => {
    const unmounted = new AbortController();
    void load(unmounted.signal);
    return () => {
      unmounted.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load]);
}
