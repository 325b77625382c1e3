/** The server answers each call within 45 seconds, with a sentence. The browser waits longer, so that people read it. */
export const PATIENCE_MS = 60_000;

/** A request that fails after `PATIENCE_MS`. Browsers from before 2024 have their own, later limit. */
export function inTime(init: RequestInit = {}): RequestInit {
  if (!('any' in AbortSignal)) return init;
  const signals = init.signal ? [init.signal] : [];
  return { ...init, signal: AbortSignal.any([...signals, AbortSignal.timeout(PATIENCE_MS)]) };
}
