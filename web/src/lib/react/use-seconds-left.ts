import { useEffect, useState } from 'react';
import { useClient } from './use-client.ts';

/** Counts down the whole seconds until a time in milliseconds since 1970; 0 if it's past or null. */
export function useSecondsLeft(until: number | null): number {
  const clock = useClient().now;
  const [now, setNow] = useState(clock);
  const secondsLeft = until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
  const isWaiting = secondsLeft > 0;

  useEffect(() => {
    setNow(clock());
    if (until === null || !isWaiting) return;
    const timer = window.setInterval(() => setNow(clock()), 1000);
    return () => window.clearInterval(timer);
  }, [until, isWaiting, clock]);

  return secondsLeft;
}
