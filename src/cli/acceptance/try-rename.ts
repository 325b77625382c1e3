import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { completed, createRun, readRun, TRIED_CHECK, updateRun } from './runs.ts';
import { type Scratch, statusOf } from './scratch.ts';

/** Renames the repository and back: what its former name leads to, and whether runs keep their link. */
export async function tryRename(scratch: Scratch, pull: ScratchPull): Promise<Seen[]> {
  const { person, at, undo, prefix, signal } = scratch;
  const run = await createRun(scratch, pull.head, completed('cancelled'), `${TRIED_CHECK}: rename`);
  const before = await readRun(scratch, run);
  const other = `${at.repo}-${prefix}`;
  let isBack = false;
  const back = async () => {
    if (!isBack) await person.rest.repos.update({ owner: at.owner, repo: other, name: at.repo });
    isBack = true;
  };
  undo.add(`the name ${at.repo}: the repository is ${at.owner}/${other} now`, back);
  signal.throwIfAborted();
  await person.rest.repos.update({ ...at, name: other });
  const seen = await lookAfter(scratch, run, before.details_url);
  await back();
  return [{ id: 'rename-keeps-details', seen }];
}

async function lookAfter(scratch: Scratch, run: number, details: string | null): Promise<string> {
  try {
    const after = await readRun(scratch, run);
    await updateRun(scratch, run, completed('cancelled'));
    return after.details_url === details ? 'kept, and reached' : 'the address is another one';
  } catch (error) {
    if (statusOf(error) === 404) return 'the former name leads nowhere';
    throw error;
  }
}
