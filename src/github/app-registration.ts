import type { GitHubApp } from './app.ts';
import { requireCredentials } from './credentials.ts';

const NEWEST = 30;

/** What GitHub says about the App itself, for an operator who looks for what is wrong. */
export function createAppRegistration(app: GitHubApp) {
  return {
    /** @throws StartError with a sentence if GitHub doesn't accept the App or doesn't answer. */
    readApp: () => requireCredentials(app),

    /** Where GitHub sends webhooks, and how. */
    async readHookConfig() {
      const octokit = await app.asApp();
      const { data } = await octokit.rest.apps.getWebhookConfigForApp();
      return {
        url: data.url ?? '',
        hasSecret: Boolean(data.secret),
        isJson: data.content_type === 'json',
        verifiesTls: String(data.insecure_ssl ?? '0') === '0',
      };
    },

    /** Asks about a token that nobody has, with the client secret. @returns The status of GitHub's answer. */
    async tryClientSecret() {
      const request = app.asClient().request('POST /applications/{client_id}/token', {
        client_id: app.clientId,
        access_token: 'ghu_a-token-that-nobody-has',
      });
      return request.then(
        ({ status }): number => status,
        ({ status }: { status?: number }) => status ?? 0,
      );
    },

    /** The newest attempts to deliver one, the newest first. `status` is 0 if there was no answer. */
    async readDeliveries() {
      const octokit = await app.asApp();
      const { data } = await octokit.request('GET /app/hook/deliveries', { per_page: NEWEST });
      return data.map(({ delivered_at, status_code }) => ({
        at: new Date(delivered_at),
        status: status_code,
      }));
    },
  };
}
