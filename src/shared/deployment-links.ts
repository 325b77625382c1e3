import type { Origins } from './links.ts';

/** A workflow run's page on GitHub. */
export const runUrl = ({ githubUrl }: Origins, repo: { owner: string; name: string }, run: number): string =>
  `${githubUrl}/${repo.owner}/${repo.name}/actions/runs/${run}`;

/** A commit's page on GitHub. */
export const commitUrl = ({ githubUrl }: Origins, repo: { owner: string; name: string }, sha: string) =>
  `${githubUrl}/${repo.owner}/${repo.name}/commit/${sha}`;

/** The page on GitHub with the changes between two commits. */
export const compareUrl = (
  { githubUrl }: Origins,
  repo: { owner: string; name: string },
  { from, to }: { from: string; to: string },
) => `${githubUrl}/${repo.owner}/${repo.name}/compare/${from}...${to}`;

/** The page on which people decide about a deployment. */
export function deployUrl(
  { publicUrl }: Pick<Origins, 'publicUrl'>,
  repo: { installation: number; owner: string; name: string; ownerId: number },
  { run, environment }: { run: number; environment: string },
): string {
  const query = new URLSearchParams({
    owner: repo.owner,
    ownerID: String(repo.ownerId),
    installation: String(repo.installation),
    repo: repo.name,
    run: String(run),
    environment,
  });
  return `${publicUrl}/deploy?${query}`;
}

/** The page with what people decided about a commit and its deployments, and the receipts. */
export function receiptsUrl(
  { publicUrl }: Pick<Origins, 'publicUrl'>,
  repo: { id: number; owner: string; name: string; ownerId: number },
  head: string,
): string {
  const { owner, name } = repo;
  const ids = { ownerID: String(repo.ownerId), repoID: String(repo.id) };
  return `${publicUrl}/commit?${new URLSearchParams({ owner, repo: name, ...ids, head })}`;
}
