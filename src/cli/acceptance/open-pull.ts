import type { Scratch } from './scratch.ts';

/** The pull request in which things are tried. Its base is a branch of its own. */
export type ScratchPull = { number: number; head: string; branch: string; base: string; askedAt: Date };

/** Opens a pull request between two new branches, so that nothing touches the default branch. */
export async function openPull(scratch: Scratch): Promise<ScratchPull> {
  const { person, at, undo, prefix, defaultBranch } = scratch;
  const tip = await person.rest.git.getRef({ ...at, ref: `heads/${defaultBranch}` });
  const [base, branch] = [`${prefix}-base`, `${prefix}-head`];
  for (const name of [base, branch]) {
    undo.add(`the branch ${name}`, () => person.rest.git.deleteRef({ ...at, ref: `heads/${name}` }));
    scratch.signal.throwIfAborted();
    await person.rest.git.createRef({ ...at, ref: `refs/heads/${name}`, sha: tip.data.object.sha });
  }
  const file = { path: `${prefix}.txt`, content: Buffer.from(prefix).toString('base64') };
  await person.rest.repos.createOrUpdateFileContents({ ...at, ...file, branch, message: `Add ${prefix}` });
  undo.add(`the pull request from ${branch}`, () => closeFrom(scratch, branch));
  scratch.signal.throwIfAborted();
  const askedAt = new Date();
  const { data } = await person.rest.pulls.create({
    ...at,
    head: branch,
    base,
    title: 'Try what OTP Guard assumes about GitHub',
    body: 'Opened by `otp-guard acceptance`, which closes it again.',
  });
  return { number: data.number, head: data.head.sha, branch, base, askedAt };
}

/** By its branch: the answer that had its number may have been lost. */
async function closeFrom({ person, at }: Scratch, branch: string): Promise<void> {
  const head = `${at.owner}:${branch}`;
  const { data } = await person.rest.pulls.list({ ...at, state: 'open', head });
  for (const { number, head: of } of data)
    if (of.ref === branch) await person.rest.pulls.update({ ...at, pull_number: number, state: 'closed' });
}
