import type { ProbotOctokit } from 'probot';
import { NEW_TOKEN } from './token-renewal.ts';
import { UnusableAnswer } from './unusable-answer.ts';

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
      const send = async () => requireUsable(await request(options));
      try {
        return await send();
      } catch (error) {
        if (options.request.retries === 0 || !isFault(error) || isOfToken(error, options.url)) throw error;
        await new Promise((resolve) => setTimeout(resolve, ms));
        return send();
      }
    });
  };

/** A proxy can answer in GitHub's place with a page, and a body can be cut off. Octokit returns both as text. */
function requireUsable<T extends { status: number; data?: unknown }>(answer: T): T {
  const { status, data } = answer;
  const isJson = typeof data === 'object' && data !== null && !(data instanceof ArrayBuffer);
  if ((status === 200 || status === 201) && !isJson) throw new UnusableAnswer("GitHub's answer isn't JSON");
  return answer;
}

/** The request for a token that another request needs was sent again already. */
const isOfToken = (error: unknown, url: string) =>
  url !== NEW_TOKEN &&
  Boolean((error as { request?: { url?: string } }).request?.url?.endsWith('/access_tokens'));

/** No answer counts as status 500. What we gave up ourselves is no error of a request. */
function isFault(error: unknown): boolean {
  if (error instanceof UnusableAnswer) return true;
  const { status, request } = error as { status?: unknown; request?: unknown };
  return request !== undefined && typeof status === 'number' && status >= 400 && !FINAL.includes(status);
}
