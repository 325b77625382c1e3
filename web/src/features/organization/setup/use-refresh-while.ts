import { useEffect, useRef } from 'react';

const PAUSE_MS = 10_000;

/** Calls `refresh` every few seconds while `isActive` and the tab is in sight. */
export function useRefreshWhile(isActive: boolean, refresh: () => void): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (!isActive) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, PAUSE_MS);
    return () => window.clearInterval(timer);
  }, [isActive]);
}
