import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Pull } from '../github-objects.ts';
import { createPullEvents } from '../pull-events.ts';
import { createMergeCommit, moveHeads } from '../push-to-branch.ts';
import { evaluateRules } from '../required-checks.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** The `changes` of an `edited` event (GitHub: "Webhook events and payloads", pull_request). */
function changesBetween(before: Pull, after: Pull): Record<string, unknown> {
  const base = { ref: { from: before.base.ref }, sha: { from: before.base.sha } };
  return {
    ...(before.title !== after.title && { title: { from: before.title } }),
    ...(before.body !== after.body && { body: { from: before.body ?? '' } }),
    ...(before.base.ref !== after.base.ref && { base }),
  };
}

function draftAction(before: Pull, after: Pull): string | undefined {
  if (before.draft === after.draft) return undefined;
  return after.draft ? 'converted_to_draft' : 'ready_for_review';
}

/** Pull requests: the webhooks that the emulator omits, and the checks that a merge requires. */
export function pullRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, pullOverlay } = deps;
  const path = '/repos/:owner/:repo/pulls/:number';
  const pathOf = (req: Request) => `/repos/${req.params.owner}/${req.params.repo}/pulls/${req.params.number}`;
  const readPull = (req: Request) => emulator.get<Pull>(pathOf(req));

  const sendWebhook = createPullEvents(deps);

  const list: RequestHandler = async (req, res) => {
    const answer = await forward(emulator, req);
    if (answer.status !== 200) {
      relay(res, answer);
      return;
    }
    const link = answer.headers.get('link');
    if (link !== null) res.setHeader('link', link);
    sendWithETag(req, res, answer.json);
  };
  router.get('/repos/:owner/:repo/pulls', readBody, list);

  const moveBranch = (pull: Pull, branch: string, sha: string) =>
    emulator.send({
      method: 'PATCH',
      path: `/repos/${pull.base.repo.full_name}/git/refs/heads/${branch}`,
      body: { sha, force: true },
    });

  /** Merges the base into a head that the emulator doesn't know. */
  const updateMoved = async (req: Request, res: Response, pull: Pull) => {
    const { expected_head_sha: expected = pull.head.sha } = jsonBodyOf(req);
    if (expected !== pull.head.sha) {
      refuse(res, 422, 'expected head sha didn’t match current head ref.');
      return;
    }
    const { repo } = pull.base;
    const branch = pull.head.ref;
    const message = `Merge branch '${pull.base.ref}' into ${branch}`;
    const parents = [pull.head.sha, pull.base.sha];
    const sha = await createMergeCommit(emulator, res, { pull, message, parents });
    await moveBranch(pull, branch, sha);
    await moveHeads(deps, res, { repo, branch, sha });
    res.status(202).json({ message: 'Updating pull request branch.', url: pull.url });
  };

  const updateBranch: RequestHandler = async (req, res) => {
    const before = await readPull(req);
    if (before?.state === 'open' && pullOverlay.isMoved(before)) {
      await updateMoved(req, res, before);
      return;
    }
    const answer = await forward(emulator, req);
    const after = await readPull(req);
    if (answer.status === 202 && before && after) {
      await sendWebhook(res, 'synchronize', after, { before: before.head.sha, after: after.head.sha });
    }
    relay(res, answer);
  };
  router.put(`${path}/update-branch`, readBody, updateBranch);

  const edit: RequestHandler = async (req, res) => {
    const before = await readPull(req);
    const answer = await forward(emulator, req);
    if (answer.status === 200 && before) {
      const after = answer.json as Pull;
      const changes = changesBetween(before, after);
      if (Object.keys(changes).length > 0) await sendWebhook(res, 'edited', after, { changes });
      const draft = draftAction(before, after);
      if (draft) await sendWebhook(res, draft, after, {});
    }
    relay(res, answer);
  };
  router.patch(path, readBody, edit);

  const mergeKnown = async (req: Request) => {
    const answer = await forward(emulator, req);
    const { merged, sha } = (answer.json ?? {}) as { merged?: boolean; sha?: string };
    return { answer, after: merged ? sha : undefined };
  };

  /** The emulator would merge the former head. It closes the pull request, and the branch moves to a commit of ours. */
  const mergeMoved = async (req: Request, res: Response, pull: Pull) => {
    const body = jsonBodyOf(req);
    const { commit_title = `Merge pull request #${pull.number} from ${pull.head.ref}`, merge_method } = body;
    const isMerge = merge_method !== 'squash' && merge_method !== 'rebase';
    const parents = [pull.base.sha, ...(isMerge ? [pull.head.sha] : [])];
    const message = String(commit_title);
    const sha = await createMergeCommit(emulator, res, { pull, message, parents });
    pullOverlay.merge(pull, sha);
    req.body = Buffer.from(JSON.stringify({ ...body, sha: undefined }));
    const { answer, after } = await mergeKnown(req);
    if (after) await moveBranch(pull, pull.base.ref, sha);
    return { answer, after: after && sha };
  };

  const merge: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    const { sha } = jsonBodyOf(req);
    const isCurrent = sha === undefined || sha === pull?.head.sha;
    const isMoved = pull !== undefined && pullOverlay.isMoved(pull);
    if (isMoved && !isCurrent) {
      refuse(res, 409, 'Head branch was modified. Review and try the merge again.');
      return;
    }
    const update = pull && { repo: pull.base.repo, branch: pull.base.ref, sha: pull.head.sha, isPull: true };
    const isMergeable = update && pull.state === 'open' && isCurrent;
    const rules = isMergeable ? await evaluateRules(deps, res, update) : undefined;
    if (rules?.refusal) {
      refuse(res, 405, rules.refusal);
      return;
    }
    const { answer, after } = isMoved ? await mergeMoved(req, res, pull) : await mergeKnown(req);
    if (after) rules?.record(after);
    relay(res, answer, isMoved && after ? { ...(answer.json as object), sha: after } : undefined);
  };
  router.put(`${path}/merge`, readBody, merge);

  return router;
}
