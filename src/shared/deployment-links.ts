import type { Origins } from './links.ts';

/** A page of a repository on GitHub: of a workflow run, a commit, or the changes between two commits. */
export function repositoryPage(
  { githubUrl }: Origins,
  { owner, name }: { owner: string; name: string },
  page: `actions/runs/${number}` | `commit/${string}` | `compare/${string}...${string}`,
): string {
  return `${githubUrl}/${owner}/${name}/${page}`;
}

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
