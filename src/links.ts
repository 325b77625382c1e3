/** The origins of the dashboard and of GitHub, for the links we write. */
export type Origins = { publicUrl: string; githubUrl: string };

/** What a link contains about a pull request: values from GitHub, never from a client. */
export type LinkedPull = {
  number: number;
  title: string;
  head: string;
  repo: { owner: string; name: string; ownerId: number };
};

/** GitHub limits a link's length, and the title only helps to recognize the pull request. */
const LONGEST_TITLE = 80;

/** The pull request's page on GitHub. */
export function pullUrl(origins: Origins, pull: Pick<LinkedPull, 'number' | 'repo'>): string {
  return `${origins.githubUrl}/${pull.repo.owner}/${pull.repo.name}/pull/${pull.number}`;
}

/** The pull request's changes up to its head, on GitHub. */
export function changesUrl(origins: Origins, pull: Pick<LinkedPull, 'number' | 'repo' | 'head'>): string {
  return `${pullUrl(origins, pull)}/changes/${pull.head}`;
}

/** The approval page of this head: a check run's *Details* links to it. */
export function approvalUrl(origins: Origins, repo: { installation: number }, pull: LinkedPull): string {
  return origins.publicUrl + approvalPath(origins, repo, pull);
}

/** The path and query of the approval page. */
export function approvalPath(origins: Origins, repo: { installation: number }, pull: LinkedPull): string {
  const query = new URLSearchParams({
    installation: String(repo.installation),
    repo: pull.repo.name,
    owner: pull.repo.owner,
    ownerID: String(pull.repo.ownerId),
    pr: String(pull.number),
    url: pullUrl(origins, pull),
    head: pull.head,
    headURL: changesUrl(origins, pull),
    title: Array.from(pull.title).slice(0, LONGEST_TITLE).join(''),
  });
  return `/collect?${query}`;
}
