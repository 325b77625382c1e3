import type { Response } from 'express';
import type { EmulatorClient } from './emulator-client.ts';
import type { Pull, Repository } from './github-objects.ts';
import { createPullEvents } from './pull-events.ts';
import type { RouteDeps } from './route-deps.ts';
import { senderOf } from './sender.ts';

type PushDeps = Pick<RouteDeps, 'emulator' | 'pullOverlay' | 'webhooks'>;

/** Moves the head of each open pull request from a branch that was pushed to, which the emulator doesn't. */
export async function moveHeads(
  deps: PushDeps,
  res: Response,
  { repo, branch, sha }: { repo: Repository; branch: string; sha: string },
): Promise<void> {
  const open = await deps.emulator.list<Pull>(`/repos/${repo.full_name}/pulls?state=open`);
  const sendWebhook = createPullEvents(deps);
  for (const pull of open) {
    const isFrom = pull.head.repo?.id === repo.id && pull.head.ref === branch;
    if (!isFrom || pull.head.sha === sha) continue;
    deps.pullOverlay.move(pull, sha);
    const after = deps.pullOverlay.apply(pull) as Pull;
    await sendWebhook(res, 'synchronize', after, { before: pull.head.sha, after: sha });
  }
}

/**
 * Creates the commit that merges the pull request's base and its present head, with the head's files, as the emulator
 * does with the former head. Returns its hash.
 */
export async function createMergeCommit(
  emulator: EmulatorClient,
  res: Response,
  { pull, message, parents }: { pull: Pull; message: string; parents: string[] },
): Promise<string> {
  const path = `/repos/${pull.base.repo.full_name}/git/commits`;
  const head = await emulator.get<{ tree: { sha: string } }>(`${path}/${pull.head.sha}`);
  const sender = await senderOf(emulator, res);
  const author = { name: sender?.login, email: `${sender?.id}+${sender?.login}@users.noreply.github.com` };
  const body = { message, tree: head?.tree.sha, parents, author };
  const { json, status } = await emulator.send({ method: 'POST', path, body });
  if (status !== 201) throw new Error('The local GitHub could not create a merge commit.');
  return (json as { sha: string }).sha;
}
