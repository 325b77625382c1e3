import type { EmulatorClient } from '../emulator-client.ts';
import type { ChangedFile, Pull } from '../github-objects.ts';

export type ComparedCommit = { sha: string; commit: { message: string; author: { name: string } } };
/** GitHub's page of a comparison: the commits of the head that the base lacks, oldest first, and their changes. */
export type Comparison = { commits: ComparedCommit[]; total_commits: number; files: ChangedFile[] };
type WithFiles = { files?: ChangedFile[] };

/**
 * The files that a page of changes shows, as GitHub's does: all changes between
 * two commits (`<one>..<other>` or `<one>...<other>`), or of a single commit only its
 * own. Undefined if there is no such commit.
 */
export async function readChangedFiles(
  emulator: EmulatorClient,
  repo: string,
  range: string,
): Promise<ChangedFile[] | undefined> {
  const [first = '', second] = range.split(/\.{2,3}/).map(encodeURIComponent);
  if (second === undefined) {
    return (await emulator.get<WithFiles>(`/repos/${repo}/commits/${first}`))?.files;
  }
  return (await readComparison(emulator, repo, `${first}...${second}`))?.files;
}

/**
 * Compares `<base>...<head>` from their merge base, so that later commits of the base don't matter. Undefined if one of
 * them doesn't exist.
 */
export async function readComparison(
  emulator: EmulatorClient,
  repo: string,
  range: string,
): Promise<Comparison | undefined> {
  const [base = '', head = ''] = range.split('...');
  const compared = await emulator.get<Comparison>(`/repos/${repo}/compare/${base}...${head}`);
  return compared ?? compareFork(emulator, repo, head);
}

/**
 * The changes of a pull request from a fork, by its head. The emulator's forks
 * don't have the commits of their parent; they start with a commit of their own.
 */
async function compareFork(
  emulator: EmulatorClient,
  repo: string,
  head: string,
): Promise<Comparison | undefined> {
  const pulls = await emulator.list<Pull>(`/repos/${repo}/pulls?state=all`);
  const fork = pulls.find((pull) => pull.head.sha === head)?.head.repo?.full_name;
  if (!fork) return undefined;
  const commits = await emulator.list<{ sha: string }>(`/repos/${fork}/commits?sha=${head}`);
  return emulator.get<Comparison>(`/repos/${fork}/compare/${commits.at(-1)?.sha}...${head}`);
}
