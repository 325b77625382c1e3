import type { ProbotOctokit } from 'probot';

/** Where GitHub creates the token of an installation. */
export const NEW_TOKEN = '/app/installations/{installation_id}/access_tokens';

/**
 * Replaces an installation token that GitHub refuses (401), and sends the
 * request once more. A token can end before its hour does, if somebody revokes
 * it. Requests under way with the same token share one replacement. GitHub does
 * nothing for a refused request, so writes can be sent again too. A request for a
 * new token is never renewed itself: its renewal would wait for itself.
 *
 * @param octokit The client of one installation, never of the App or a person.
 */
export function withTokenRenewal(octokit: ProbotOctokit): ProbotOctokit {
  let renewal: Promise<unknown> | undefined;
  octokit.hook.wrap('request', async (request, options) => {
    if (options.url === NEW_TOKEN) return request(options);
    const earlier = renewal;
    try {
      return await request(options);
    } catch (error) {
      if ((error as { status?: unknown }).status !== 401) throw error;
      // Another request may have replaced the token since this one began.
      if (renewal === earlier) renewal = octokit.auth({ type: 'installation', refresh: true });
      await renewal;
      return request(options);
    }
  });
  return octokit;
}
