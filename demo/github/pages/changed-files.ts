import type { EmulatorClient } from '../emulator-client.ts';
import type { ChangedFile, Pull } from '../github-objects.ts';

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
  const compared = await emulator.get<WithFiles>(`/repos/${repo}/compare/${first}...${second}`);
  return compared?.files ?? readForkFiles(emulator, repo, second);
}

/**
 * The changes of a pull request from a fork, by its head. The emulator's forks
 * don't have the commits of their parent; they start with a commit of their own.
 */
async function readForkFiles(
  emulator: EmulatorClient,
  repo: string,
  head: string,
): Promise<ChangedFile[] | undefined> {
  const pulls = await emulator.list<Pull>(`/repos/${repo}/pulls?state=all`);
  const fork = pulls.find((pull) => pull.head.sha === head)?.head.repo?.full_name;
  if (!fork) return undefined;
  const commits = await emulator.list<{ sha: string }>(`/repos/${fork}/commits?sha=${head}`);
  const path = `/repos/${fork}/compare/${commits.at(-1)?.sha}...${head}`;
  return (await emulator.get<WithFiles>(path))?.files;
}
