import { type RequestHandler, Router } from 'express';
import { FORBIDDEN } from '../administration.ts';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import { requireInstallation } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { botOfApp, findWriter } from './access.ts';
import { environmentBrief } from './run-objects.ts';
import { withRun } from './run-routes.ts';
import { waitingJobs } from './run-state.ts';

const MOST_REPORTS = 10;
const LONGEST_COMMENT = 1_024;

/**
 * Why GitHub refuses a review. It documents no text and no form: these are what other Apps saw, and the sentence stood
 * in each of these places.
 */
const REFUSED = {
  nothing: {
    message: 'Validation Failed',
    errors: 'No pending deployment requests to approve or reject',
  },
  again: {
    message: 'Validation Failed',
    errors: [{ message: 'Deployment protection rule has already been reviewed' }],
  },
  unknown: { message: 'There was a problem approving one of the gates' },
  tooMany: {
    message: 'Validation Failed',
    errors: [{ message: `A deployment can have at most ${MOST_REPORTS} status reports` }],
  },
};

/**
 * What waits in a run, and what Apps and people said about it (GitHub: "REST API endpoints for workflow runs"). A review
 * names an environment, and answers all jobs of the run's present attempt that wait there for this App at that moment;
 * jobs of a later wave ask again. A status report is listed among the reviews, with the state `pending`.
 */
export function reviewRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { actions, installations } = deps;
  const { runs, environments, failing } = actions;
  const base = '/repos/:owner/:repo/actions/runs/:run';
  /** The runs of which a review is being answered: GitHub fails others at the same moment. */
  const busy = new Set<number>();

  /** Takes a moment, and fails if another review of the run comes in it. */
  const isDisturbed = async (run: number): Promise<boolean> => {
    if (busy.has(run)) return true;
    busy.add(run);
    await new Promise((resolve) => setTimeout(resolve, 5));
    busy.delete(run);
    if (failing.reviews === 0) return false;
    failing.reviews -= 1;
    return true;
  };

  router.get(
    `${base}/pending_deployments`,
    readBody,
    withRun(deps, (req, res, { repo, run }) => {
      const names = new Set(waitingJobs(run).map(({ plan }) => plan.environment ?? ''));
      const shown = [...names].flatMap((name) => {
        const environment = environments.find(repo, name);
        if (!environment) return [];
        const brief = environmentBrief(deps, repo, environment);
        const timer = { wait_timer: 0, wait_timer_started_at: null };
        const people = { current_user_can_approve: false, reviewers: [] };
        return [{ environment: brief, ...timer, ...people }];
      });
      sendWithETag(req, res, shown);
    }),
  );

  router.get(
    `${base}/approvals`,
    readBody,
    withRun(deps, (req, res, { repo, run }) => {
      const shown = run.reviews.map(({ environments: names, ...review }) => ({
        ...review,
        environments: names.flatMap((name) => {
          const environment = environments.find(repo, name);
          if (!environment) return [];
          const { created_at, updated_at } = environment;
          return [{ ...environmentBrief(deps, repo, environment), created_at, updated_at }];
        }),
      }));
      sendWithETag(req, res, shown);
    }),
  );

  const review: RequestHandler = withRun(deps, async (req, res, { repo, run }) => {
    const caller = callerOf(res);
    const app =
      caller.kind === 'installation' &&
      findWriter(deps, repo, { id: caller.installation, permission: 'deployments' });
    if (!app) return refuse(res, 403, FORBIDDEN);
    const { environment_name: name, state, comment = '' } = jsonBodyOf(req);
    const isReport = state === undefined;
    if (typeof name !== 'string' || typeof comment !== 'string' || (isReport && comment === ''))
      return refuse(res, 422, 'Invalid request. environment_name and state, or comment, are required.');
    if (!isReport && state !== 'approved' && state !== 'rejected')
      return refuse(res, 422, `Invalid request. ${state} is not a member of ["approved", "rejected"].`);
    if ([...comment].length > LONGEST_COMMENT)
      return refuse(res, 422, `comment is too long (maximum is ${LONGEST_COMMENT} characters)`);

    if (!isReport && (await isDisturbed(run.id))) return res.status(422).json(REFUSED.unknown);

    const appID = installations.appOf(app.id);
    const ours = waitingJobs(run, name).flatMap(({ gates }) => gates.filter((gate) => gate.app === appID));
    const open = ours.filter((gate) => gate.state === 'pending');
    if (open.length === 0) return res.status(422).json(ours.length > 0 ? REFUSED.again : REFUSED.nothing);
    if (isReport && open.some(({ reports }) => reports >= MOST_REPORTS))
      return res.status(422).json(REFUSED.tooMany);
    const user = botOfApp({ id: appID, slug: app.app_slug });
    runs.review(repo, run, open, { state: state ?? 'pending', comment, user, environments: [name] });
    res.status(204).end();
  });
  router.post(`${base}/deployment_protection_rule`, requireInstallation, readBody, review);

  return router;
}
