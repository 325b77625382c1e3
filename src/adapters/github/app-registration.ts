import type { AppError } from '../../shared/app-error.ts';
import type { GitHubApp } from './app.ts';
import { requireCredentials } from './credentials.ts';
import { fromGitHub } from './from-github.ts';

const NEWEST = 30;
/** The doctor asks about at most this many accounts: enough to find what is wrong, in the time that a check has. */
const MOST_ASKED = 20;

/** Null if GitHub answers. */
async function refusalOf(app: GitHubApp, installation: number): Promise<string | null> {
  const octokit = await app.asInstallation(installation);
  return fromGitHub(octokit.rest.apps.listReposAccessibleToInstallation({ per_page: 1 })).then(
    () => null,
    (error: AppError) => error.reason ?? error.message,
  );
}

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

    /** Asks GitHub one thing about each account, as the product does: an IP allow list keeps us out of a single one. */
    async askAccounts() {
      const octokit = await app.asApp();
      const { data } = await octokit.rest.apps.listInstallations({ per_page: 100 });
      const active = data.filter(({ suspended_at }) => !suspended_at);
      const asked = await Promise.all(
        active.slice(0, MOST_ASKED).map(async ({ id, account }) => ({
          login: (account as { login?: string } | null)?.login ?? String(id),
          refusal: await refusalOf(app, id),
        })),
      );
      return { asked, more: active.length - asked.length };
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
