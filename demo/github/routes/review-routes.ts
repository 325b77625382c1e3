import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf, emulatorTokenOf } from '../authenticate.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Pull } from '../github-objects.ts';
import { isRoleEnough, requireWriter } from '../pull-writers.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type Review = { user: Account | null; state: string; submitted_at: string | null };

/** GitHub leaves out when a review was submitted if it wasn't. */
const shown = ({ submitted_at, ...review }: Review) =>
  submitted_at === null ? review : { ...review, submitted_at };

/** Why GitHub refuses a review (GitHub: "Create a review for a pull request"); undefined if it doesn't. */
function problemOf(pull: Pull, login: string, { event, body }: Record<string, unknown>): string | undefined {
  const isOwn = pull.user?.login === login;
  if (isOwn && event === 'APPROVE') return 'Can not approve your own pull request';
  if (isOwn && event === 'REQUEST_CHANGES') return 'Can not request changes on your own pull request';
  if (event && event !== 'APPROVE' && !body) return 'Body can’t be blank';
  return undefined;
}

/**
 * Reviews, for which the emulator asks nothing of a person. `POST /_local/pulls/{owner}/{repo}/{number}/reviews` with
 * `{ author, event, body }` reviews as the machine that `author` names.
 */
export function reviewRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, credentials } = deps;
  const path = '/repos/:owner/:repo/pulls/:number/reviews';
  const pathOf = ({ params }: Request) => `/repos/${params.owner}/${params.repo}/pulls/${params.number}`;

  const list: RequestHandler = async (req, res) => {
    const answer = await forward(emulator, req);
    if (answer.status !== 200) return relay(res, answer);
    const caller = callerOf(res);
    const isShown = ({ state, user }: Review) =>
      state !== 'PENDING' || ('login' in caller && caller.login === user?.login);
    relay(res, answer, (answer.json as Review[]).filter(isShown).map(shown));
  };
  router.get(path, readBody, list);

  const review = async (
    res: Response,
    { pull, token, login, body }: { pull: Pull; token: string; login: string; body: object },
  ) => {
    const problem = problemOf(pull, login, { ...body });
    if (problem) {
      const documentation_url = 'https://docs.github.com/rest';
      res.status(422).json({ message: 'Unprocessable Entity', errors: [problem], documentation_url });
      return;
    }
    const path = `/repos/${pull.base.repo.full_name}/pulls/${pull.number}/reviews`;
    // Without a commit, the emulator reviews the head with which the pull request was opened.
    const reviewed = { commit_id: pull.head.sha, ...body };
    const answer = await emulator.send({ method: 'POST', path, token, body: reviewed });
    if (answer.status === 201) relay(res, { ...answer, status: 200 }, shown(answer.json as Review));
    else relay(res, answer);
  };

  const create: RequestHandler = async (req, res) => {
    const pull = await emulator.get<Pull>(pathOf(req));
    if (!pull) return refuse(res, 404, 'Not Found');
    if (!(await requireWriter(deps, res, pull, ['pull_requests']))) return;
    const caller = callerOf(res);
    const login = 'login' in caller ? caller.login : '';
    await review(res, { pull, token: emulatorTokenOf(res) ?? '', login, body: jsonBodyOf(req) });
  };
  router.post(path, readBody, create);

  const reviewAsBot: RequestHandler = async (req, res) => {
    const pull = await emulator.get<Pull>(pathOf(req));
    const { author, ...body } = jsonBodyOf(req);
    const token = credentials.botTokens[String(author)];
    if (!pull || token === undefined) return refuse(res, pull ? 422 : 404, 'No such pull request or machine');
    await review(res, { pull, token, login: String(author), body });
  };
  router.post('/_local/pulls/:owner/:repo/:number/reviews', requireAdmin, readBody, reviewAsBot);

  const dismiss: RequestHandler = async (req, res) => {
    const pull = await emulator.get<Pull>(pathOf(req));
    if (!pull) return refuse(res, 404, 'Not Found');
    if (!(await requireWriter(deps, res, pull, ['pull_requests']))) return;
    if (!(await isRoleEnough(deps, res, pull, 'write'))) return refuse(res, 403, 'Must have write access');
    if (!jsonBodyOf(req).message) return refuse(res, 422, 'Validation Failed');
    // The emulator would put the message in the place of the review's text.
    req.body = Buffer.from('{}');
    const answer = await forward(emulator, req);
    relay(res, answer, answer.status === 200 ? shown(answer.json as Review) : undefined);
  };
  router.put(`${path}/:review/dismissals`, readBody, dismiss);

  return router;
}
