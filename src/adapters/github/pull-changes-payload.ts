import type { Contributor, PullCommits } from '../../policies/facts.ts';

/** One changed file, and whether GitHub listed it at the head we judge. */
export type ListedFile = { paths: string[]; isAtHead: boolean };

/** One commit, with those of its people whom GitHub links to accounts. */
export type ListedCommit = {
  isHead: boolean;
  people: Contributor[];
  isKnown: boolean;
  isVerified: boolean;
};

type GitHubFile = { filename: string; status: string; previous_filename?: string; contents_url: string };

export function toFile(raw: GitHubFile, head: string): ListedFile {
  const before = raw.status === 'renamed' ? raw.previous_filename : undefined;
  // The address of a removed file's content names a commit that still had it.
  const isAtHead = raw.status === 'removed' || refOf(raw.contents_url) === head;
  return { paths: [...(before === undefined ? [] : [before]), raw.filename], isAtHead };
}

const refOf = (url: string) => (URL.canParse(url) ? new URL(url).searchParams.get('ref') : null);

type Account = { id?: number; login?: string; type?: string };
type GitHubCommit = {
  sha: string;
  commit: { verification?: { verified: boolean } };
  author: object | null;
  committer: object | null;
};

/** GitHub's own account: the committer of a commit that somebody made on the website, which GitHub signs. */
const WEB_FLOW = 'web-flow';

/** GitHub links accounts by the e-mail addresses in a commit. The addresses themselves aren't believed. */
export function toCommit(raw: GitHubCommit, head: string): ListedCommit {
  const isVerified = raw.commit.verification?.verified === true;
  const isGitHub = isVerified && (raw.committer as Account | null)?.login === WEB_FLOW;
  const linked = [raw.author, ...(isGitHub ? [] : [raw.committer])].map(toContributor);
  const people = linked.filter((person) => person !== null);
  return { isHead: raw.sha === head, people, isKnown: people.length === linked.length, isVerified };
}

/** Null if GitHub links no account. Anybody can write GitHub's own address into a commit. */
function toContributor(account: Account | null): Contributor | null {
  const { id, login, type } = account ?? {};
  if (!id || !login || login === WEB_FLOW) return null;
  return { id, login, isMachine: type === 'Bot' };
}

/** What the commits say together. */
export function toPullCommits(commits: ListedCommit[], isComplete: boolean): PullCommits {
  const people = new Map(commits.flatMap((commit) => commit.people).map((person) => [person.id, person]));
  return {
    people: [...people.values()],
    areAllKnown: commits.every(({ isKnown }) => isKnown),
    areAllVerified: commits.every(({ isVerified }) => isVerified),
    isComplete,
  };
}
