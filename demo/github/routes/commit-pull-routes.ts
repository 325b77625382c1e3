import { type Request, type RequestHandler, Router } from 'express';
import { forward, readBody } from '../forward.ts';
import type { Pull } from '../github-objects.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type ListedPull = Pull & { merge_commit_sha: string | null; merged_at: string | null };

/**
 * The pull requests of a commit, which the emulator lacks (GitHub: "List pull requests associated with a commit"): the
 * merged pull request that brought it in, or else each that has it.
 */
export function commitPullRoutes({ emulator }: RouteDeps): Router {
  const router = Router();

  const has = async (pull: ListedPull, sha: string): Promise<boolean> => {
    if (pull.head.sha === sha || (pull.merged_at !== null && pull.merge_commit_sha === sha)) return true;
    const path = `/repos/${pull.base.repo.full_name}/pulls/${pull.number}/commits`;
    return (await emulator.list<{ sha: string }>(path)).some((commit) => commit.sha === sha);
  };

  const list: RequestHandler = async (req: Request, res) => {
    const repo = `/repos/${req.params.owner}/${req.params.repo}`;
    const sha = String(req.params.sha);
    const answer = await forward(emulator, req, `${repo}/pulls?state=all&per_page=100`);
    if (answer.status !== 200) {
      relay(res, answer);
      return;
    }
    if (!(await emulator.get(`${repo}/commits/${encodeURIComponent(sha)}`))) {
      refuse(res, 422, `No commit found for SHA: ${sha}`);
      return;
    }
    const pulls = answer.json as ListedPull[];
    const isOf = await Promise.all(pulls.map((pull) => has(pull, sha)));
    const found = pulls.filter((_pull, at) => isOf[at]);
    const merged = found.filter((pull) => pull.merged_at !== null);
    res.json(paginate(req, res, merged.length > 0 ? merged : found));
  };
  router.get('/repos/:owner/:repo/commits/:sha/pulls', readBody, list);

  return router;
}
