import type { Config } from './config.ts';
import type { PullLocator } from './github.ts';

/** A pull request's current state on GitHub. */
export type LivePull = { head: string; open: boolean };

/** Reads the pull request from GitHub with the person's token; null if GitHub doesn't answer or refuses. */
export async function readLivePull(
  config: Config,
  accessToken: string,
  { owner, repo, pr }: PullLocator,
): Promise<LivePull | null> {
  const path = [owner, repo, 'pulls', pr].map(encodeURIComponent).join('/');
  try {
    // https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request
    const response = await fetch(`${config.githubApi}/repos/${path}`, {
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${accessToken}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(5000),
    });
    const pull: { head?: { sha?: unknown }; state?: unknown } = await response.json();
    const head = pull.head?.sha;
    if (!response.ok || typeof head !== 'string' || !/^[0-9a-f]{40,64}$/.test(head)) return null;
    return { head, open: pull.state === 'open' };
  } catch {
    return null;
  }
}
