import { StartError } from '../../shared/start-error.ts';
import type { GitHubApp } from './app.ts';
import { enterpriseVersionIn } from './enterprise-version.ts';

export type AppAtGitHub = {
  /** The App's name on GitHub. */
  slug: string;
  /** The page on which people install it. */
  installUrl: string;
  /** What it asks of every account. */
  permissions: Record<string, string>;
  events: string[];
  /** Of the Enterprise Server; null if GitHub isn't one. */
  enterpriseVersion: string | null;
};

/**
 * Reads the App from GitHub, which shows that GitHub is reachable and accepts
 * our credentials.
 *
 * @throws StartError that says what is wrong and which setting to check.
 */
export async function requireCredentials(app: GitHubApp): Promise<AppAtGitHub> {
  try {
    const octokit = await app.asApp();
    const { data, headers } = await octokit.rest.apps.getAuthenticated();
    return {
      slug: data?.slug ?? '',
      installUrl: `${data?.html_url}/installations/new`,
      permissions: { ...data?.permissions } as Record<string, string>,
      events: data?.events ?? [],
      enterpriseVersion: enterpriseVersionIn(headers),
    };
  } catch (error) {
    throw new StartError(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const { status, message } = error as Error & { status?: number };
  if (status === undefined) return `PRIVATE_KEY can't sign: ${message}`;
  if (status === 401 || status === 404)
    return "GitHub refused the App: APP_ID and PRIVATE_KEY don't belong together.";
  return "GitHub doesn't answer. Check GITHUB_SERVER_URL and GITHUB_API_URL, and the network.";
}
