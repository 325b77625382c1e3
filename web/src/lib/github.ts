import type { Config } from './config.ts';

/** Where a pull request stands at this moment. */
export type LivePull = { head: string; open: boolean };

type Place = { owner: string; repo: string; pr: string };

/** The pull request's page. */
export function pullAddress({ github }: Pick<Config, 'github'>, { owner, repo, pr }: Place): string {
  return `${github}/${[owner, repo, 'pull', pr].map(encodeURIComponent).join('/')}`;
}

/** Asks GitHub itself, with the person's token; null where it does not answer or does not say. */
export async function readLivePull(
  config: Config,
  accessToken: string,
  place: Place,
): Promise<LivePull | null> {
  const path = [place.owner, place.repo, 'pulls', place.pr].map(encodeURIComponent).join('/');
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
