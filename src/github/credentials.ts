import { StartError } from '../start-error.ts';
import type { GitHubApp } from './app.ts';

/** The App as GitHub knows it, for the log and for the way to install it. */
export type AppAtGitHub = { slug: string; installUrl: string };

/**
 * The App at GitHub, which proves that GitHub is there and takes our credentials.
 *
 * @throws StartError with what is wrong and which setting to look at.
 */
export async function requireCredentials(app: GitHubApp): Promise<AppAtGitHub> {
  try {
    const octokit = await app.asApp();
    const { data } = await octokit.rest.apps.getAuthenticated();
    return { slug: data?.slug ?? '', installUrl: `${data?.html_url}/installations/new` };
  } catch (error) {
    const { status, message } = error as Error & { status?: number };
    if (status === 401 || status === 404)
      throw new StartError('GitHub refused the App: APP_ID and PRIVATE_KEY do not belong together.');
    if (status === undefined) throw new StartError(`PRIVATE_KEY cannot sign: ${message}`);
    throw new StartError('GitHub does not answer. Is GITHUB_API_URL right, and the network up?');
  }
}
