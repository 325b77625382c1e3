import Bottleneck from 'bottleneck';
import type { ProbotOctokit } from 'probot';

/**
 * Octokit waits as long as GitHub says after a rate limit. We fail at once
 * instead: people don't wait that long, and the scheduler retries later.
 */
export function throttleOptions(redisUrl: string | undefined) {
  const neverRetry = () => false;
  return {
    onRateLimit: neverRetry,
    onSecondaryRateLimit: neverRetry,
    ...(redisUrl === undefined && { write: unlimitedWrites() }),
  };
}

/** We write only check runs, and those wait in our own queues (`write-queues.ts`). */
function unlimitedWrites() {
  return new Bottleneck.Group({ id: 'otp-guard-write', maxConcurrent: 5, timeout: 120_000 });
}

/** The retry plugin counts in a request's options; clients share those, and would share the count. */
export function copyRequestOptions(octokit: { hook: ProbotOctokit['hook'] }): void {
  octokit.hook.before('request', (options) => {
    options.request = { ...options.request };
  });
}
