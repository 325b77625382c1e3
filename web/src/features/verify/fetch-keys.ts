import { inTime } from '../../lib/in-time.ts';

/** This server's published key list, unchecked; null if there is no answer. Asks without saying for what. */
export async function fetchKeys(signal: AbortSignal): Promise<unknown> {
  try {
    const request = inTime({ credentials: 'omit', cache: 'no-store', signal });
    const response = await fetch('/.well-known/otp-guard.json', request);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
