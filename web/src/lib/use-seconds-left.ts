import { useEffect, useState } from 'react';
import { useClient } from './use-client.ts';

/** Whole seconds until a moment (milliseconds since 1970), counted down; 0 when it is past, or there is none. */
export function useSecondsLeft(until: number | null): number {
  const clock = useClient().now;
  const [now, setNow] = useState(clock);
  const left = until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
  const waiting = left > 0;

  useEffect(() => {
    setNow(clock());
    if (until === null || !waiting) return;
    const timer = window.setInterval(() => setNow(clock()), 1000);
    return () => window.clearInterval(timer);
  }, [until, waiting, clock]);

  return left;
}
