import type { SentWebhook, SentWebhooks } from '../../approvals/reconcile/ports.ts';
import { type AppError, StartError } from '../../shared/app-error.ts';
import type { GitHubApp } from './app.ts';
import { NOT_JSON } from './fetch.ts';
import { fromGitHub } from './from-github.ts';

const NEWEST = 30;
/** The doctor asks about at most this many accounts: enough to find what is wrong, in the time that a check has. */
const MOST_ASKED = 20;

/** GitHub's reason for refusing an installation's token; null if GitHub answers. */
async function refusalOf(app: GitHubApp, installation: number): Promise<string | null> {
  const octokit = await app.asInstallation(installation);
  return fromGitHub(octokit.rest.apps.listReposAccessibleToInstallation({ per_page: 1 })).then(
    () => null,
    (error: AppError) => error.reason ?? error.message,
  );
}

/** Reads the App's registration at GitHub, for an operator who looks for a fault. */
export function createAppRegistration(app: GitHubApp) {
  return {
    /** @throws StartError with a sentence if GitHub doesn't accept the App or doesn't answer. */
    readApp: () => requireCredentials(app),

    /** Where GitHub sends webhooks, and how. */
    async readWebhookConfig() {
      const octokit = await app.asApp();
      const { data } = await octokit.rest.apps.getWebhookConfigForApp();
      return {
        url: data.url ?? '',
        hasSecret: Boolean(data.secret),
        isJson: data.content_type === 'json',
        verifiesTls: String(data.insecure_ssl ?? '0') === '0',
      };
    },

    /** Asks about a token that nobody has, with the client secret. @returns The status of GitHub's answer, 0 without one. */
    async tryClientSecret() {
      const request = app.asClient().request('POST /applications/{client_id}/token', {
        client_id: app.clientId,
        access_token: 'ghu_a-token-that-nobody-has',
      });
      return request.then(
        ({ status }): number => status,
        // Octokit gives a request that got no answer the status 500.
        ({ status, response }: { status?: number; response?: object }) => (response && status) ?? 0,
      );
    },

    /** Asks GitHub one thing about each account, as the product does: an IP allow list keeps us out of a single one. */
    async askAccounts() {
      const octokit = await app.asApp();
      const { data } = await octokit.rest.apps.listInstallations({ per_page: 100 });
      const active = data.filter(({ suspended_at }) => !suspended_at);
      const asked = await Promise.all(
        active.slice(0, MOST_ASKED).map(async ({ id, account, target_type, permissions }) => ({
          login: (account as { login?: string } | null)?.login ?? String(id),
          refusal: await refusalOf(app, id),
          isOrganization: target_type === 'Organization',
          permissions: { ...permissions } as Record<string, string>,
        })),
      );
      return { asked, more: active.length - asked.length };
    },

    /** The newest attempts to deliver webhooks, the newest first. `status` is 0 if there was no answer. */
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

export type AppAtGitHub = {
  /** The App's name on GitHub. */
  slug: string;
  /** The page on which people install it. */
  installUrl: string;
  /** The permissions that it asks of every account. */
  permissions: Record<string, string>;
  events: string[];
  /** The version of the Enterprise Server; null if GitHub isn't one. */
  enterpriseVersion: string | null;
};

/**
 * Reads the App from GitHub, which shows that GitHub is reachable and accepts
 * our credentials.
 *
 * @throws StartError that says what is wrong and which setting to check; `GitHubAway` if it may pass.
 */
export async function requireCredentials(app: GitHubApp): Promise<AppAtGitHub> {
  try {
    const octokit = await app.asApp();
    const { data, headers } = await octokit.rest.apps.getAuthenticated();
    if (typeof data?.slug !== 'string' || !data.permissions) throw new GitHubAway(NOT_GITHUB);
    return {
      slug: data.slug,
      installUrl: `${data.html_url}/installations/new`,
      permissions: { ...data.permissions } as Record<string, string>,
      events: data.events ?? [],
      enterpriseVersion: enterpriseVersionIn(headers),
    };
  } catch (error) {
    throw error instanceof GitHubAway ? error : refusalToStart(error);
  }
}

/** GitHub can't be asked, which may pass: no setting is known to be wrong. */
export class GitHubAway extends StartError {}

const NOT_GITHUB =
  'GITHUB_API_URL answers, but not as GitHub does. Check GITHUB_SERVER_URL and GITHUB_API_URL, and whether a proxy answers instead.';

function refusalToStart(error: unknown): StartError {
  const { status, message, response } = error as Error & { status?: number; response?: object };
  if (status === undefined) return new StartError(`PRIVATE_KEY can't sign: ${message}`);
  if (status === 401 || status === 404)
    return new StartError("GitHub refused the App: APP_ID and PRIVATE_KEY don't belong together.");
  if (message.includes(NOT_JSON)) return new GitHubAway(NOT_GITHUB);
  // Octokit gives a request that got no answer the status 500.
  return new GitHubAway(
    response === undefined
      ? "GitHub doesn't answer. Check GITHUB_SERVER_URL and GITHUB_API_URL, and the network."
      : `GitHub answered ${status}. Its status page may say why; OTP Guard asks it again.`,
  );
}

/**
 * The oldest Enterprise Server whose published API description we compared with every request of the product. Older ones
 * get a warning, and may still work.
 */
export const OLDEST_CHECKED = '3.17';

/** The version of the Enterprise Server that answered, such as 3.19.2; null if it isn't one. */
export function enterpriseVersionIn(headers: object): string | null {
  const version = (headers as Record<string, unknown>)['x-github-enterprise-version'];
  return typeof version === 'string' && /^\d+\.\d+[\w.-]{0,30}$/.test(version) ? version : null;
}

/** Tells whether this version is older than each one that we compared. */
export const isOlderThanChecked = (version: string): boolean =>
  version.localeCompare(OLDEST_CHECKED, 'en', { numeric: true }) < 0;

/** How much of the list a round reads. */
const MOST_PAGES = 50;

/** GitHub's own list of the webhooks that it sent to the App. One without an answer has status 0. */
export function createSentWebhooks(app: GitHubApp): SentWebhooks {
  return {
    async listFailed(from) {
      const newest = await readFailed(app, from);
      if (newest.isWhole) return newest;
      // With this filter GitHub lists deliveries that were answered with 400 to 599, and so none without an answer.
      const answered = await readFailed(app, from, '&status=failure');
      const each = new Map([...newest.failed, ...answered.failed].map((webhook) => [webhook.id, webhook]));
      return { failed: [...each.values()], isWhole: false };
    },

    async redeliver(id) {
      const octokit = await app.asApp();
      const request = octokit.request('POST /app/hook/deliveries/{id}/attempts', { id });
      // The delivery no longer exists, or GitHub is sending it already: there is nothing to do.
      await fromGitHub(request, { 400: null, 404: null, 422: null });
    },
  };
}

type UnreadPage = { data: ReadableStream; headers: { link?: string } };

/** Reads the list, newest first, until `from`; `isWhole` is false if it has more pages than a round reads. */
async function readFailed(app: GitHubApp, from: Date, filter = '') {
  const octokit = await app.asApp();
  const failed: SentWebhook[] = [];
  let next: string | undefined = `/app/hook/deliveries?per_page=100${filter}`;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const { data, headers }: UnreadPage = await fromGitHub(
      octokit.request(`GET ${next as string}`, { request: { parseSuccessResponseBody: false } }),
    );
    const listed = parseDeliveries(await new Response(data).text());
    const since = listed.filter(({ at }) => at >= from);
    failed.push(...since.filter(({ status }) => status < 200 || status >= 300));
    next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
    if (since.length < listed.length || next === undefined) return { failed, isWhole: true };
  }
  return { failed, isWhole: false };
}

type GitHubDelivery = Pick<SentWebhook, 'id' | 'guid' | 'event' | 'action'> & {
  delivered_at: string;
  status_code: number;
  installation_id: number | null;
};

/** JSON.parse would round an id of more than 53 bits, so ids become text first. */
const parseDeliveries = (json: string) =>
  (JSON.parse(json.replace(/("id":\s*)(\d+)/g, '$1"$2"')) as GitHubDelivery[]).map(
    ({ id, guid, delivered_at, status_code, event, action, installation_id }) => ({
      id,
      guid,
      at: new Date(delivered_at),
      status: status_code,
      event,
      action,
      installation: installation_id,
    }),
  );
