import type { Request, Response } from 'express';
import type { EmulatorResponse } from './emulator-client.ts';
import { forward, jsonBodyOf } from './forward.ts';
import type { Pull, Repository } from './github-objects.ts';
import { createPullEvents } from './pull-events.ts';
import type { RouteDeps } from './route-deps.ts';

const OTHER_FILES =
  'The local GitHub moves the branch of an open pull request only to a commit with the same files.';

type PushDeps = Pick<RouteDeps, 'emulator' | 'pullOverlay' | 'webhooks'>;

/**
 * Moves a branch, and with it the head of each open pull request from it, as an amend of a message does. The emulator
 * would merge the former head: so with an open pull request, the files have to stay the same.
 */
export async function moveBranchAndHeads(
  deps: PushDeps,
  { req, res, repo, branch }: { req: Request; res: Response; repo: Repository; branch: string },
): Promise<EmulatorResponse | { refused: string }> {
  const sha = String(jsonBodyOf(req).sha ?? '');
  const path = `/repos/${repo.full_name}`;
  const open = await deps.emulator.list<Pull>(`${path}/pulls?state=open`);
  const pulls = open.filter(
    ({ head }) => head.repo?.id === repo.id && head.ref === branch && head.sha !== sha,
  );
  const treeOf = async (commit: string) =>
    (await deps.emulator.get<{ tree: { sha: string } }>(`${path}/git/commits/${commit}`))?.tree.sha;
  const tree = pulls.length > 0 ? await treeOf(sha) : undefined;
  // The emulator refuses a commit that it doesn't know.
  for (const { head } of tree === undefined ? [] : pulls)
    if ((await treeOf(head.sha)) !== tree) return { refused: OTHER_FILES };
  const answer = await forward(deps.emulator, req);
  if (answer.status !== 200) return answer;
  const sendWebhook = createPullEvents(deps);
  for (const pull of pulls) {
    deps.pullOverlay.move(pull, sha);
    const after = deps.pullOverlay.apply(pull) as Pull;
    await sendWebhook(res, 'synchronize', after, { before: pull.head.sha, after: sha });
  }
  return answer;
}
