import { type Request, type RequestHandler, type Response, Router } from 'express';
import { linkAccounts } from '../accounts.ts';
import { AGENT } from '../credentials.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { ChangedFile, Pull } from '../github-objects.ts';
import {
  type MadeUp,
  makeUpCommits,
  makeUpFile,
  type PullContents,
  readAccounts,
  readContents,
} from '../pull-contents.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** GitHub lists no more (GitHub: "REST API endpoints for pull requests"). */
const MOST = { files: 3_000, commits: 250 };

/**
 * The files and commits of pull requests, with their counts. `PUT /_local/pulls/{owner}/{repo}/{number}` with
 * `{ files: [{ filename, previous_filename, status, patch }], commits: [{ author, committer, verified }] }` makes them up for
 * the present head; accounts are logins, or null. `POST /_local/pulls/{owner}/{repo}` with `{ title, body, head, base }`
 * opens a pull request as `agent[bot]`, or as the machine that `author` names.
 */
export function pullContentRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, origin, credentials } = deps;
  const path = '/repos/:owner/:repo/pulls/:number';
  const madeUp = new Map<string, MadeUp>();

  const keyOf = ({ base, number, head }: Pull) => `${base.repo.id}#${number}@${head.sha}`;
  const pathOf = ({ params }: Request) => `/repos/${params.owner}/${params.repo}/pulls/${params.number}`;

  const contentsOf = async (pull: Pull): Promise<PullContents> => {
    const { files, commits } = madeUp.get(keyOf(pull)) ?? {};
    const compared = files && commits ? undefined : await readContents(emulator, pull);
    const logins = (commits ?? []).flatMap(({ author, committer }) => [author, committer]);
    const accounts = await readAccounts(
      deps,
      logins.filter((login) => typeof login === 'string'),
    );
    return {
      files: files?.map((file) => makeUpFile(pull, { origin }, file)) ?? compared?.files ?? [],
      commits: commits
        ? makeUpCommits(pull, { origin, accounts }, commits)
        : await linkAccounts(emulator, compared?.commits ?? []),
      commitCount: commits?.length ?? compared?.commitCount ?? 0,
    };
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
    const { files, commitCount } = await contentsOf(pull);
    const size = { changed_files: files.length, commits: commitCount, ...linesOf(files) };
    sendWithETag(req, res, { ...pull, ...size });
  };
  router.get(path, readBody, show);

  const list = (of: keyof typeof MOST): RequestHandler => {
    return async (req, res) => {
      const pull = await readable(req, res);
      if (!pull) return;
      const all = (await contentsOf(pull))[of];
      sendWithETag(req, res, paginate(req, res, all.slice(0, MOST[of])));
    };
  };
  router.get(`${path}/files`, readBody, list('files'));
  router.get(`${path}/commits`, readBody, list('commits'));

  const makeUp: RequestHandler = async (req, res) => {
    const pull = await emulator.get<Pull>(pathOf(req));
    if (!pull) {
      refuse(res, 404, 'Not Found');
      return;
    }
    madeUp.set(keyOf(pull), { ...madeUp.get(keyOf(pull)), ...(jsonBodyOf(req) as MadeUp) });
    res.json(madeUp.get(keyOf(pull)));
  };
  router.put('/_local/pulls/:owner/:repo/:number', requireAdmin, readBody, makeUp);

  const openAsAgent: RequestHandler = async (req, res) => {
    const { owner, repo } = req.params;
    const { author = AGENT, ...body } = jsonBodyOf(req);
    const token = credentials.botTokens[String(author)];
    if (token === undefined) {
      refuse(res, 422, 'Validation Failed');
      return;
    }
    const path = `/repos/${owner}/${repo}/pulls`;
    const answer = await emulator.send({ method: 'POST', path, token, body });
    relay(res, answer);
  };
  router.post('/_local/pulls/:owner/:repo', requireAdmin, readBody, openAsAgent);

  return router;
}

/** The added and deleted lines of all files. */
const linesOf = (files: ChangedFile[]) => ({
  additions: files.reduce((sum, { additions }) => sum + additions, 0),
  deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
});
