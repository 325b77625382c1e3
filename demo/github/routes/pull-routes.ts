import { type Request, type RequestHandler, Router } from 'express';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Pull } from '../github-objects.ts';
import { createPullEvents } from '../pull-events.ts';
import { evaluateRules } from '../required-checks.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const MOVED = "The local GitHub can't update a branch that was moved.";

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

  const updateBranch: RequestHandler = async (req, res) => {
    const before = await readPull(req);
    if (before && pullOverlay.isMoved(before)) {
      refuse(res, 501, MOVED);
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

  const merge: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    const { sha } = jsonBodyOf(req);
    const isCurrent = sha === undefined || sha === pull?.head.sha;
    if (pull && pullOverlay.isMoved(pull)) {
      if (!isCurrent) {
        refuse(res, 409, 'Head branch was modified. Review and try the merge again.');
        return;
      }
      // The emulator knows the former head, which has the same files.
      req.body = Buffer.from(JSON.stringify({ ...jsonBodyOf(req), sha: undefined }));
    }
    const update = pull && { repo: pull.base.repo, branch: pull.base.ref, sha: pull.head.sha, isPull: true };
    const isMergeable = update && pull.state === 'open' && isCurrent;
    const rules = isMergeable ? await evaluateRules(deps, res, update) : undefined;
    if (rules?.refusal) {
      refuse(res, 405, rules.refusal);
      return;
    }
    const answer = await forward(emulator, req);
    const { merged, sha: after } = (answer.json ?? {}) as { merged?: boolean; sha?: string };
    if (merged && after) rules?.record(after);
    relay(res, answer);
  };
  router.put(`${path}/merge`, readBody, merge);

  return router;
}
