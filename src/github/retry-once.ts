import type { ProbotOctokit } from 'probot';

/** GitHub's answer would be the same, or it asks us to wait. */
const FINAL = [400, 401, 403, 404, 410, 422, 429, 451];

/**
 * Sends a request that GitHub failed to answer once more, because a person or a webhook waits for most of them. Requests
 * with `retries: 0` are sent once. It replaces Octokit's plugin, which makes a scheduler for each request: that takes
 * longer than all the rest of sending one.
 *
 * @param ms The pause before it's sent again.
 */
export const retryOnce =
  (ms: number) =>
  (octokit: { hook: ProbotOctokit['hook'] }): void => {
    octokit.hook.wrap('request', async (request, options) => {
      try {
        return await request(options);
      } catch (error) {
        if (options.request.retries === 0 || !isFault(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, ms));
        return request(options);
      }
    });
  };

/** No answer counts as status 500. What we gave up ourselves is no error of a request. */
function isFault(error: unknown): boolean {
  const { status, request } = error as { status?: unknown; request?: unknown };
  return request !== undefined && typeof status === 'number' && status >= 400 && !FINAL.includes(status);
}
