import type { ProbotOctokit } from 'probot';

/**
 * A person or a webhook waits for most requests, so each is retried only once.
 * Octokit's own list of what not to retry, and 429: GitHub asks us to wait then.
 *
 * @param retryMs The pause before a failed request is sent again.
 */
export const retryOptions = (retryMs: number) => ({
  retries: 1,
  retryAfterBaseValue: retryMs,
  doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
});

/** The retry plugin counts in a request's options; clients share those, and would share the count. */
export function copyRequestOptions(octokit: { hook: ProbotOctokit['hook'] }): void {
  octokit.hook.before('request', (options) => {
    options.request = { ...options.request };
  });
}
