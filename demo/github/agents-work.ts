import type { EmulatorClient } from './emulator-client.ts';
import type { Account, Pull } from './github-objects.ts';
import type { AsOctocat } from './pages/as-octocat.ts';

/** How agents sign commits, with the addresses that GitHub gave to their accounts. */
export const COPILOT = {
  name: 'copilot-swe-agent[bot]',
  email: '198982749+Copilot@users.noreply.github.com',
};
export const CLAUDE = { name: 'claude[bot]', email: '209825114+claude[bot]@users.noreply.github.com' };

type Signature = { name: string; email: string };
export type PullCommit = {
  sha: string;
  commit: { message: string; author: Signature; committer: Signature };
  author: Account | null;
};
type Created = { sha: string };
type TreeFile = { path: string; mode: '100644'; type: 'blob'; content?: string; sha?: string | null };

async function create(emulator: EmulatorClient, path: string, body: object): Promise<string> {
  const answer = await emulator.send({ method: 'POST', path, body });
  if (answer.status !== 201) throw new Error(`The local GitHub refused POST ${path}: ${answer.body}`);
  return (answer.json as Created).sha;
}

/** Creates a commit on `parent` that changes these files, and returns its hash. No branch moves. */
export async function createCommit(
  emulator: EmulatorClient,
  input: {
    repo: string;
    parent: string;
    tree: TreeFile[];
    message: string;
    author: Signature;
    committer?: Signature;
  },
): Promise<string> {
  const { repo, parent, tree, ...signed } = input;
  const path = `/repos/${repo}/git`;
  const before = await emulator.get<{ tree: Created }>(`${path}/commits/${parent}`);
  const after = await create(emulator, `${path}/trees`, { base_tree: before?.tree.sha, tree });
  return create(emulator, `${path}/commits`, { ...signed, tree: after, parents: [parent] });
}

export const textFile = (path: string, content: string): TreeFile => ({
  path,
  mode: '100644',
  type: 'blob',
  content,
});

/** The head of a branch. */
export async function readTip(emulator: EmulatorClient, repo: string, branch: string): Promise<string> {
  const ref = await emulator.get<{ object: Created }>(`/repos/${repo}/git/ref/heads/${branch}`);
  if (!ref) throw new Error(`${repo} has no branch ${branch}.`);
  return ref.object.sha;
}

/** An address of this GitHub, whose host isn't github.com. */
const noreplyOf = ({ id, login }: Account, origin: string) =>
  `${id}+${login}@users.noreply.${new URL(origin).hostname}`;

/** The body of a pull request, with the person who asked in Copilot's form. */
const bodyFor = (login: string) =>
  `Adds a page that says goodbye.

<details>

<summary>Original prompt - submitted by @${login}</summary>

> Say goodbye, too.

</details>
`;

/**
 * What happens when a person asks Copilot for a change: it pushes a commit with them as a co-author, opens a pull request,
 * and is assigned to it with them. Returns the pull request's number.
 */
export async function askCopilot(
  emulator: EmulatorClient,
  asOctocat: AsOctocat,
  { repo, person, origin, now }: { repo: string; person: Account; origin: string; now: number },
): Promise<number> {
  const branch = `copilot/say-goodbye-${now.toString(36)}`;
  const message = `Say goodbye, too\n\nCo-authored-by: ${person.login} <${noreplyOf(person, origin)}>\n`;
  const parent = await readTip(emulator, repo, 'main');
  const tree = [
    textFile(`goodbye/${now.toString(36)}.md`, `# Goodbye\n\nSays goodbye to ${person.login}.\n`),
  ];
  const sha = await createCommit(emulator, { repo, parent, tree, message, author: COPILOT });
  await create(emulator, `/repos/${repo}/git/refs`, { ref: `refs/heads/${branch}`, sha });
  const pull = { author: COPILOT.name, title: 'Say goodbye, too', body: bodyFor(person.login) };
  const opened = await asOctocat('POST', `/_local/pulls/${repo}`, { ...pull, head: branch, base: 'main' });
  const { number } = (await opened.json()) as Pull;
  const assignees = [COPILOT.name, person.login];
  await asOctocat('POST', `/repos/${repo}/issues/${number}/assignees`, { assignees });
  return number;
}

type CommitDetails = PullCommit & {
  files: { filename: string; status: string; sha: string; previous_filename?: string }[];
};

/** Rewrites the branch of a pull request without the commits that machines wrote, as `git rebase --interactive` does. */
export async function dropMachineCommits(
  emulator: EmulatorClient,
  asOctocat: AsOctocat,
  { pull, commits }: { pull: Pull; commits: PullCommit[] },
): Promise<Response> {
  const repo = pull.base.repo.full_name;
  let parent = pull.base.sha;
  for (const { sha } of commits.filter((one) => one.author?.type !== 'Bot')) {
    const found = await emulator.get<CommitDetails>(`/repos/${repo}/commits/${sha}`);
    const { message, author, committer } = found?.commit ?? {};
    const tree = (found?.files ?? []).map(({ filename, status, sha: blob }) => ({
      path: filename,
      mode: '100644' as const,
      type: 'blob' as const,
      sha: status === 'removed' ? null : blob,
    }));
    if (message && author && committer)
      parent = await createCommit(emulator, { repo, parent, tree, message, author, committer });
  }
  const path = `/repos/${repo}/git/refs/heads/${pull.head.ref}`;
  return asOctocat('PATCH', path, { sha: parent, force: true });
}
