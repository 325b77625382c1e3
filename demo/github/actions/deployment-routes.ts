import { Router } from 'express';
import { sendWithETag } from '../etag.ts';
import { readBody } from '../forward.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { readVisible } from './access.ts';
import { deploymentObject, statusObjects } from './run-objects.ts';

/**
 * The deployments that runs made (GitHub: "REST API endpoints for deployments"). One that waits has no status. An older
 * success becomes `inactive` when a newer one of its environment succeeds, so that the newest status doesn't say which
 * ones succeeded.
 */
export function deploymentRoutes(deps: RouteDeps): Router {
  const router = Router();
  const base = '/repos/:owner/:repo/deployments';

  router.get(base, readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const { environment, sha, ref, task } = req.query;
    const found = deps.actions.runs
      .deployments(repo)
      .map((one) => deploymentObject(deps, repo, one))
      .filter(
        (one) =>
          (!environment || one.environment === environment) &&
          (!sha || one.sha === sha) &&
          (!ref || one.ref === ref) &&
          (!task || one.task === task),
      );
    sendWithETag(req, res, paginate(req, res, found));
  });

  router.get([`${base}/:id`, `${base}/:id/statuses`], readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const found = deps.actions.runs
      .deployments(repo)
      .find(({ deployment }) => deployment.id === Number(req.params.id));
    if (!found) refuse(res, 404, 'Not Found');
    else if (req.path.endsWith('/statuses'))
      sendWithETag(req, res, paginate(req, res, statusObjects(deps, repo, found)));
    else sendWithETag(req, res, deploymentObject(deps, repo, found));
  });

  return router;
}
