/** The origins of the dashboard and of GitHub, for the links we write. */
export type Origins = { publicUrl: string; githubUrl: string };

/** The pull request of a link: all values come from GitHub, never from a client. */
type LinkedPull = {
  number: number;
  title: string;
  head: string;
  /** A commit of the base branch; undefined if only GitHub knows it. */
  baseSha?: string;
  repo: { id: number; owner: string; name: string; ownerId: number };
};

/** GitHub limits a link's length, and the title only helps to recognize the pull request. */
const LONGEST_TITLE = 80;
const LONGEST_LINK = 2_000;

/** The pull request's page on GitHub. */
export function pullUrl(origins: Origins, pull: Pick<LinkedPull, 'number' | 'repo'>): string {
  return `${repositoryUrl(origins, pull)}/pull/${pull.number}`;
}

/**
 * Every change of the pull request up to its head, on GitHub: the comparison of
 * two commits, which stays the same when more commits follow (docs.github.com,
 * "Comparing commits"). `/pull/7/changes/<head>` would show the last commit only.
 * If the base branch's commit isn't known, the page shows the pull request's changes now.
 */
export function changesUrl(origins: Origins, pull: Omit<LinkedPull, 'title'>): string {
  if (pull.baseSha === undefined) return `${pullUrl(origins, pull)}/files`;
  return `${repositoryUrl(origins, pull)}/compare/${pull.baseSha}...${pull.head}`;
}

/** The open pull requests with this head, on GitHub. */
export function pullsWithHeadUrl(origins: Origins, pull: Pick<LinkedPull, 'head' | 'repo'>): string {
  const query = new URLSearchParams({ q: `is:pr is:open ${pull.head}` });
  return `${repositoryUrl(origins, pull)}/pulls?${query}`;
}

const repositoryUrl = ({ githubUrl }: Origins, { repo }: Pick<LinkedPull, 'repo'>) =>
  `${githubUrl}/${repo.owner}/${repo.name}`;

/** The approval page of this head: a check run's *Details* links to it. */
export function approvalUrl(origins: Origins, repo: { installation: number }, pull: LinkedPull): string {
  return origins.publicUrl + approvalPath(origins, repo, pull);
}

/** The path and query of the approval page. A link that would be too long has no title. */
export function approvalPath(origins: Origins, repo: { installation: number }, pull: LinkedPull): string {
  const title = Array.from(pull.title).slice(0, LONGEST_TITLE).join('');
  const path = pathWith(origins, repo, { ...pull, title });
  const isTooLong = origins.publicUrl.length + path.length > LONGEST_LINK;
  return isTooLong ? pathWith(origins, repo, { ...pull, title: '' }) : path;
}

/** The same page by what it can't do without, for e-mails, in which people see the link itself. */
export function shortApprovalUrl(
  { publicUrl }: Pick<Origins, 'publicUrl'>,
  repo: { installation: number },
  pull: Omit<LinkedPull, 'title'>,
): string {
  return `${publicUrl}/collect?${new URLSearchParams({ ...addressOf(repo, pull), head: pull.head })}`;
}

function pathWith(origins: Origins, repo: { installation: number }, pull: LinkedPull): string {
  const query = new URLSearchParams({
    ...addressOf(repo, pull),
    url: pullUrl(origins, pull),
    head: pull.head,
    headURL: changesUrl(origins, pull),
    title: pull.title,
  });
  return `/collect?${query}`;
}

const addressOf = (
  { installation }: { installation: number },
  { number, repo }: Omit<LinkedPull, 'title'>,
) => ({
  installation: String(installation),
  repo: repo.name,
  owner: repo.owner,
  ownerID: String(repo.ownerId),
  repoID: String(repo.id),
  pr: String(number),
});

/** The values that find the pull request of a link. Titles, heads and base branches change too often. */
const ADDRESS = ['installation', 'owner', 'ownerID', 'repo', 'repoID', 'pr'];

/** The parts of an approval page's address that a rename, a transfer or a new installation changes. */
export function addressIn(approvalLink: string): string {
  const query = URL.canParse(approvalLink) ? new URL(approvalLink).searchParams : new URLSearchParams();
  return JSON.stringify(ADDRESS.map((name) => query.get(name)));
}
