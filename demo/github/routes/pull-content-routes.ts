import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendWithETag } from '../etag.ts';
import { forward, readBody } from '../forward.ts';
import type { ChangedFile, Pull } from '../github-objects.ts';
import { type Comparison, readComparison } from '../pages/changed-files.ts';
import { paginate, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** GitHub lists no more (GitHub: "REST API endpoints for pull requests"). */
const MOST = { files: 3_000, commits: 250 };

/** The files and commits of pull requests, with their counts. The emulator makes up its own answer. */
export function pullContentRoutes({ emulator }: Pick<RouteDeps, 'emulator'>): Router {
  const router = Router();
  const path = '/repos/:owner/:repo/pulls/:number';
  const pathOf = ({ params }: Request) => `/repos/${params.owner}/${params.repo}/pulls/${params.number}`;

  /** All changes between the pull request's commits: GitHub counts all of them, and lists a part. */
  const contentsOf = async ({ base, head }: Pull): Promise<Comparison> => {
    const compared = await readComparison(emulator, base.repo.full_name, `${base.sha}...${head.sha}`);
    return compared ?? { files: [], commits: [] };
  };

  /** The pull request as the caller can read it; sends the refusal and returns undefined if not. */
  const readable = async (req: Request, res: Response): Promise<Pull | undefined> => {
    const answer = await forward(emulator, req, pathOf(req));
    if (answer.status === 200) return answer.json as Pull;
    relay(res, answer);
    return undefined;
  };

  const show: RequestHandler = async (req, res) => {
    const pull = await readable(req, res);
    if (!pull) return;
    const { files, commits } = await contentsOf(pull);
    const size = { changed_files: files.length, commits: commits.length, ...linesOf(files) };
    sendWithETag(req, res, { ...pull, ...size });
  };
  router.get(path, readBody, show);

  const list = (of: keyof typeof MOST): RequestHandler => {
    return async (req, res) => {
      const pull = await readable(req, res);
      if (!pull) return;
      const all: object[] = (await contentsOf(pull))[of];
      sendWithETag(req, res, paginate(req, res, all.slice(0, MOST[of])));
    };
  };
  router.get(`${path}/files`, readBody, list('files'));
  router.get(`${path}/commits`, readBody, list('commits'));

  return router;
}

/** The added and deleted lines of all files. */
const linesOf = (files: ChangedFile[]) => ({
  additions: files.reduce((sum, { additions }) => sum + additions, 0),
  deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
});
