import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { poll, type Scratch, statusOf } from './scratch.ts';

const PATIENCE_MS = 30_000;

/** Whether a branch's list of check suites shows its tip: after a push, and after the App made a suite for it. */
export async function trySuites(scratch: Scratch, { head, branch }: ScratchPull): Promise<Seen[]> {
  const pushed = await poll(
    scratch,
    PATIENCE_MS,
    async () => (await isShown(scratch, branch, head)) || undefined,
  );
  return [{ id: 'tip-has-suite', seen: pushed ? 'a suite' : 'no suite' }, await tryMadeSuite(scratch)];
}

async function tryMadeSuite(scratch: Scratch): Promise<Seen> {
  const { person, installation, at, undo, prefix, defaultBranch } = scratch;
  const id = 'made-suite-is-listed';
  const branch = `${prefix}-quiet`;
  const tip = await person.rest.git.getRef({ ...at, ref: `heads/${defaultBranch}` });
  undo.add(`the branch ${branch}`, () => person.rest.git.deleteRef({ ...at, ref: `heads/${branch}` }));
  scratch.signal.throwIfAborted();
  await person.rest.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: tip.data.object.sha });
  const file = { path: `${branch}.txt`, content: Buffer.from(branch).toString('base64') };
  // GitHub makes no suite for a push with this message.
  const message = `Add ${branch}\n\n\nskip-checks: true`;
  const { data } = await person.rest.repos.createOrUpdateFileContents({ ...at, ...file, branch, message });
  const head_sha = data.commit.sha ?? '';
  if (await isShown(scratch, branch, head_sha))
    return {
      id,
      notTried: 'GitHub made a suite itself, although the commit’s message says skip-checks: true.',
    };
  const made = await installation.rest.checks.createSuite({ ...at, head_sha }).catch((error: unknown) => {
    if (statusOf(error) === 422) return null;
    throw error;
  });
  if (!made) return { id, seen: 'GitHub makes none' };
  return { id, seen: (await isShown(scratch, branch, head_sha)) ? 'listed' : 'not listed' };
}

/** As `src/github/branches.ts` reads it. */
async function isShown({ installation, at }: Scratch, branch: string, commit: string): Promise<boolean> {
  const request = installation.rest.checks.listSuitesForRef({ ...at, ref: `heads/${branch}`, per_page: 1 });
  return (await request).data.check_suites[0]?.head_sha === commit;
}
