import type { EmulatorClient } from './emulator-client.ts';

type Person = { name: string; email: string; date: string };
type Commit = {
  sha: string;
  commit: { tree: { sha: string }; message: string; author: Person; committer: Person };
};

/** The emulator's own addresses end with `localhost`, which isn't a domain of an e-mail address. */
const personOf = ({ name, email }: Person) => ({
  name,
  email: email.replace(/@.*localhost$/, '@example.org'),
});

/** A commit as check suites and workflow runs show it; undefined if the repository doesn't have it. */
export async function readSimpleCommit(emulator: EmulatorClient, repo: string, head: string) {
  const found = await emulator.get<Commit>(`/repos/${repo}/commits/${head}`);
  if (!found) return undefined;
  const { tree, message, author, committer } = found.commit;
  const people = { author: personOf(author), committer: personOf(committer) };
  return { id: found.sha, tree_id: tree.sha, message, timestamp: committer.date, ...people };
}
