import { useEffect } from 'react';

/** Calls `retry` when the browser is online again; null if nothing failed for want of a connection. */
export function useBackOnline(retry: (() => unknown) | null): void {
  useEffect(() => {
    if (!retry) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
}
