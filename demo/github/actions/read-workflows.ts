import type { EmulatorClient } from '../emulator-client.ts';
import type { Repository } from '../github-objects.ts';
import { parseWorkflow, type Workflow } from './workflow-file.ts';

const FOLDER = '.github/workflows';

type Entry = { name: string; path: string; type: string; content?: string };

/** The workflow file at a commit, branch or tag; undefined if there is none. */
export async function readWorkflow(
  emulator: EmulatorClient,
  repo: Repository,
  { path, ref }: { path: string; ref: string },
): Promise<Workflow | undefined> {
  const at = `/repos/${repo.full_name}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const found = await emulator.get<Entry>(at);
  return found?.content
    ? parseWorkflow(path, Buffer.from(found.content, 'base64').toString('utf8'))
    : undefined;
}

/** The workflows on the default branch: GitHub lists those, and dispatches no others. */
export async function listWorkflows(
  emulator: EmulatorClient,
  repo: Repository,
): Promise<{ path: string; workflow: Workflow }[]> {
  const ref = repo.default_branch;
  const at = `/repos/${repo.full_name}/contents/${FOLDER}?ref=${encodeURIComponent(ref)}`;
  const entries = (await emulator.get<Entry[]>(at)) ?? [];
  const files = entries.filter(({ type, name }) => type === 'file' && /\.ya?ml$/.test(name));
  const read = files.map(async ({ path }) => {
    const workflow = await readWorkflow(emulator, repo, { path, ref });
    return workflow ? [{ path, workflow }] : [];
  });
  return (await Promise.all(read)).flat();
}

/** The branch or tag that a request names, with or without `refs/…/`, and its commit; undefined if there is none. */
export async function resolveRef(
  emulator: EmulatorClient,
  repo: Repository,
  ref: string,
): Promise<{ name: string; sha: string } | undefined> {
  const name = ref.replace(/^refs\/(heads|tags)\//, '');
  for (const kind of ['heads', 'tags']) {
    if (ref.startsWith('refs/') && !ref.startsWith(`refs/${kind}/`)) continue;
    const path = `/repos/${repo.full_name}/git/ref/${kind}/${encodeURIComponent(name)}`;
    const found = await emulator.get<{ object: { sha: string } }>(path);
    if (found) return { name, sha: found.object.sha };
  }
  return undefined;
}
