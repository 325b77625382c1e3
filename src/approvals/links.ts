import type { PullRequest, RepositoryRef } from './ports.ts';

/** Where the product and GitHub are, for the links that we write. */
export type Places = { publicUrl: string; githubUrl: string };

/** GitHub limits a link's length, and a title is only a hint. */
const LONGEST_TITLE = 80;

/** The pull request's page on GitHub, made of what GitHub told us, never of what a client sent. */
export function pullUrl(places: Places, pull: Pick<PullRequest, 'number' | 'repo'>): string {
  return `${places.githubUrl}/${pull.repo.owner}/${pull.repo.name}/pull/${pull.number}`;
}

/** The pull request's changes up to its head, on GitHub. */
export function changesUrl(places: Places, pull: Pick<PullRequest, 'number' | 'repo' | 'head'>): string {
  return `${pullUrl(places, pull)}/changes/${pull.head}`;
}

/** The approval page of this head: where a check's *Details* leads. */
export function approvalUrl(places: Places, repo: RepositoryRef, pull: PullRequest): string {
  return places.publicUrl + approvalPath(places, repo, pull);
}

/** The same without the dashboard's origin. */
export function approvalPath(
  places: Places,
  repo: Pick<RepositoryRef, 'installation'>,
  pull: Pick<PullRequest, 'number' | 'repo' | 'head' | 'title'>,
): string {
  const query = new URLSearchParams({
    installation: String(repo.installation),
    repo: pull.repo.name,
    owner: pull.repo.owner,
    ownerID: String(pull.repo.ownerId),
    pr: String(pull.number),
    url: pullUrl(places, pull),
    head: pull.head,
    headURL: changesUrl(places, pull),
    title: Array.from(pull.title).slice(0, LONGEST_TITLE).join(''),
  });
  return `/collect?${query}`;
}
