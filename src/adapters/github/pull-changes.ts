import { limitPatches } from '../../approvals/approve/file-marks.ts';
import type { PullChanges, PullRequest } from '../../approvals/ports.ts';
import type { ListedFile, Patch } from '../../contract/approvals.ts';
import { HIDING } from '../../contract/unseen.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { CommitHands, Contributor, PullCommits } from '../../policies/details.ts';
import { askedBy } from '../../policies/initiators.ts';
import { readTrailers } from '../../policies/trailers.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { FULL_PAGE } from './pages.ts';

/** GitHub lists no more of a pull request, so a list of this length can be a part of one. */
const MOST_FILES = 3_000;
const MOST_COMMITS = 250;

/** 422: GitHub can't make the diff now, or never because it is too large. */
const UNLISTED = { ...NOT_READABLE, 422: null } as const;

type ShownPull = Pick<PullRequest, 'number' | 'head' | 'base' | 'repo'>;

/** A pull request as it is right now. */
type Shown = {
  head: string;
  base: string;
  repoId: number;
  files: number;
  commits: number;
  /** Null is an account that GitHub doesn't name. */
  assignees: (Contributor | null)[];
  asked: ReturnType<typeof askedBy>;
};

/**
 * The files and commits of a pull request. GitHub lists those of its head at that moment, so the pull request is read
 * afterwards: if it moved on, or if the counts differ, the list isn't complete.
 */
export function createPullChanges(app: GitHubApp): PullChanges {
  /** Null if GitHub shows another head, base branch or repository than `pull`. */
  const shownAt = async (octokit: Octokit, repo: RepositoryRef, pull: ShownPull) => {
    const request = read(octokit.rest.pulls.get, pathOf(repo, pull), toShown);
    const shown = await fromGitHub(request, UNLISTED);
    const isSame = shown?.head === pull.head && shown.base === pull.base && shown.repoId === pull.repo.id;
    return isSame ? shown : null;
  };

  return {
    async files(repo, pull) {
      const octokit = await app.asInstallation(repo.installation);
      const request = readList(octokit.rest.pulls.listFiles, pathOf(repo, pull), toFiles);
      const listed = await fromGitHub(request, UNLISTED);
      if (!listed) return { paths: [], isComplete: false };
      const shown = await shownAt(octokit, repo, pull);
      const paths = listed.flatMap(({ previousPath, path }) =>
        previousPath === null ? [path] : [previousPath, path],
      );
      return { paths: [...new Set(paths)], isComplete: isWhole(listed, pull.head, shown?.files) };
    },

    async list(repo, number, most) {
      const octokit = await app.asInstallation(repo.installation);
      const { listFiles } = octokit.rest.pulls;
      const path = pathOf(repo, { number });
      const request =
        most === 'all'
          ? readList(listFiles, path, toFiles)
          : read(listFiles, { ...path, page: 1, per_page: FULL_PAGE }, toFiles);
      const listed = await fromGitHub(request, UNLISTED);
      return (
        listed && {
          files: listed.map(({ at, ...file }) => file),
          isOf: ({ head, size }) => isWhole(listed, head, size?.files),
        }
      );
    },

    async commits(repo, pull) {
      const octokit = await app.asInstallation(repo.installation);
      const request = readList(octokit.rest.pulls.listCommits, pathOf(repo, pull), (all) =>
        all.map(toCommit),
      );
      const listed = (await fromGitHub(request, UNLISTED)) ?? [];
      const shown = await shownAt(octokit, repo, pull);
      const isComplete = listed.length === shown?.commits && listed.length < MOST_COMMITS;
      // GitHub sorts by time, so the head needn't be the last one. Another head with it and as many commits doesn't exist.
      return toPullCommits(listed, isComplete && listed.some(({ sha }) => sha === pull.head));
    },

    async requesters(repo, pull) {
      const octokit = await app.asInstallation(repo.installation);
      const shown = await fromGitHub(read(octokit.rest.pulls.get, pathOf(repo, pull), toShown), UNLISTED);
      if (shown?.repoId !== pull.repo.id) return { people: [], areAllKnown: false };
      const { assignees, asked } = shown;
      const accounts = asked.logins.map((username) =>
        fromGitHub(read(octokit.rest.users.getByUsername, { username }, toNamed), NOT_READABLE),
      );
      const all = [...assignees, ...(await Promise.all(accounts))];
      const people = all.filter((person) => person !== null);
      return { people, areAllKnown: asked.areAllNamed && people.length === all.length };
    },

    async approvers(repo, pull) {
      const octokit = await app.asInstallation(repo.installation);
      const approving: (Contributor | null)[] = [];
      for (let page = 1; page <= MOST_REVIEW_PAGES; page += 1) {
        const asked = { ...pathOf(repo, pull), page, per_page: FULL_PAGE };
        const reviews = await fromGitHub(read(octokit.rest.pulls.listReviews, asked, toReviews), UNLISTED);
        approving.push(...(reviews ?? [{ by: [null] }]).flatMap(({ by }) => by));
        if (!reviews || reviews.length < FULL_PAGE) break;
        if (page === MOST_REVIEW_PAGES) approving.push(null);
      }
      const people = approving.filter((person) => person !== null);
      return { people, areAllKnown: people.length === approving.length };
    },
  };
}

/** More reviews take too many requests. Their approvers aren't all known then. */
const MOST_REVIEW_PAGES = 10;

type GitHubReview = { state: string; user: Account | null };

/** A review, with the account that approves with it, if it approves. */
const toReviews = (all: GitHubReview[]): { by: (Contributor | null)[] }[] =>
  all.map(({ state, user }) => ({ by: state === 'APPROVED' ? [toContributor(user)] : [] }));

type GitHubPull = {
  head: { sha: string };
  base: { ref: string; repo: { id: number } };
  changed_files: number;
  commits: number;
  assignees?: Account[] | null;
  body?: string | null;
};

const toShown = ({ head, base, changed_files, commits, assignees, body }: GitHubPull): Shown => ({
  head: head.sha,
  base: base.ref,
  repoId: base.repo.id,
  files: changed_files,
  commits,
  // GitHub always lists them, so without the list they aren't known.
  assignees: assignees?.map(toContributor) ?? [null],
  asked: askedBy(body ?? ''),
});

const pathOf = ({ owner, name }: RepositoryRef, { number }: Pick<ShownPull, 'number'>) => ({
  owner,
  repo: name,
  pull_number: number,
});

/** `at` is the head at which GitHub listed it; null for a removed file. */
type FileAtHead = ListedFile & { at: string | null };

const isWhole = (listed: FileAtHead[], head: string, count: number | undefined): boolean =>
  listed.length === count &&
  listed.length < MOST_FILES &&
  listed.every(({ at }) => at === null || at === head);

/** One commit, with those of its people whom GitHub links to accounts. */
type ListedCommit = {
  sha: string;
  people: Contributor[];
  isKnown: boolean;
  isVerified: boolean;
  hands: CommitHands;
};

type GitHubFile = {
  filename: string;
  status: string;
  previous_filename?: string;
  contents_url: string;
  sha: string | null;
  additions: number;
  deletions: number;
  patch?: string;
};

/** GitHub's answers stay in memory, so a page of them keeps no more of its patches than one of ours shows. */
const toFiles = (all: GitHubFile[]): FileAtHead[] => limitPatches(all.map(toFile));

function toFile(raw: GitHubFile): FileAtHead {
  const { filename: path, status, sha, additions, deletions } = raw;
  const previousPath = (status === 'renamed' && raw.previous_filename) || null;
  // The address of a removed file's content names a commit that still had it.
  const at = status === 'removed' ? null : refOf(raw.contents_url);
  const patch = raw.patch === undefined ? null : toPatch(raw.patch);
  return { path, previousPath, status, sha, additions, deletions, kind: kindOf(raw), patch, at };
}

const MOST_LINES = 40;
const LONGEST_LINE = 200;

/** Anybody can write a patch, of any length. The carriage returns of files from Windows aren't shown. */
function toPatch(raw: string): Patch {
  const lines = raw.split('\n', MOST_LINES + 1).map((line) => line.replace(/\r$/, ''));
  const isLong = (line: string) => line.length > LONGEST_LINE;
  const shown = lines.slice(0, MOST_LINES);
  return {
    text: shown.map((line) => (isLong(line) ? `${line.slice(0, LONGEST_LINE)}…` : line)).join('\n'),
    isCut: lines.length > MOST_LINES || shown.some(isLong),
    isHiding: HIDING.test(raw),
  };
}

/** Git shows a submodule as one line with its commit. A renamed file without a change has no text to show. */
function kindOf({ patch, status, additions, deletions }: GitHubFile): ListedFile['kind'] {
  if (patch !== undefined) return SUBMODULE.test(patch) ? 'submodule' : 'text';
  return status === 'renamed' && additions + deletions === 0 ? 'text' : 'unshown';
}

const SUBMODULE = /^@@ [^\n]*@@[^\n]*\n(?:[-+]Subproject commit [\da-f]{40,64}(?:-dirty)?(?:\n|$)){1,2}$/;

const refOf = (url: string) => (URL.canParse(url) && new URL(url).searchParams.get('ref')) || '';

type Account = { id?: number; login?: string; type?: string };

/** Null for an organization: that's no person. */
const toNamed = (account: Account): Contributor | null =>
  account.type === 'Organization' ? null : toContributor(account);

/** The name and the address that a commit itself says. */
type Signature = { name?: string | undefined; email?: string | undefined };

type GitHubCommit = {
  sha: string;
  commit: {
    message?: string;
    verification?: { verified: boolean };
    author?: Signature | null;
    committer?: Signature | null;
  };
  author: object | null;
  committer: object | null;
};

/** GitHub's own account: the committer of a commit that a person made on the website, which GitHub signs. */
const WEB_FLOW = 'web-flow';

/** GitHub links accounts by the e-mail addresses in a commit. The addresses themselves aren't believed, except about agents. */
function toCommit(raw: GitHubCommit): ListedCommit {
  const isVerified = raw.commit.verification?.verified === true;
  const isGitHub = isVerified && (raw.committer as Account | null)?.login === WEB_FLOW;
  const linked = [raw.author, ...(isGitHub ? [] : [raw.committer])].map(toContributor);
  const people = linked.filter((person) => person !== null);
  const { message, author, committer } = raw.commit;
  const signed = [author, committer].map((one) => ({ name: one?.name ?? '', email: one?.email ?? null }));
  const by = [...people.map(({ login }) => ({ login })), ...signed];
  const said = message === undefined ? { trailers: [], isComplete: false } : readTrailers(message);
  return {
    sha: raw.sha,
    people,
    isKnown: people.length === linked.length,
    isVerified,
    hands: { by, ...said },
  };
}

/** Null if GitHub links no account. Anybody can write GitHub's own address into a commit. */
function toContributor(account: Account | null): Contributor | null {
  const { id, login, type } = account ?? {};
  if (!id || !login || login === WEB_FLOW) return null;
  return { id, login, isMachine: type === 'Bot' };
}

function toPullCommits(commits: ListedCommit[], isComplete: boolean): PullCommits {
  const people = new Map(commits.flatMap((commit) => commit.people).map((person) => [person.id, person]));
  return {
    people: [...people.values()],
    areAllKnown: commits.every(({ isKnown }) => isKnown),
    areAllVerified: commits.every(({ isVerified }) => isVerified),
    commits: commits.map(({ hands }) => hands),
    isComplete,
  };
}
