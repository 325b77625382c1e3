import { setTimeout } from 'node:timers/promises';
import { type RequestHandler, type Response, Router } from 'express';
import { FORBIDDEN } from '../administration.ts';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { requireInstallation } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { botOfApp, findWriter } from './access.ts';
import type { Environment } from './environments.ts';
import { deploymentObject, environmentBrief } from './run-objects.ts';
import { withRun } from './run-routes.ts';
import { type Gate, latestOf, type Run, waitingJobs } from './run-state.ts';

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
 * jobs of a later wave ask again. A status report is listed among the reviews, with the state `pending`. A job starts once
 * GitHub's own reviewers and timer have let it, too.
 */
export function reviewRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { actions, installations } = deps;
  const { runs, environments, unkind } = actions;
  const base = '/repos/:owner/:repo/actions/runs/:run';
  /** How to end the review of each run that is being reviewed: GitHub fails others at the same moment. */
  const busy = new Map<number, () => void>();

  /** Takes a while, which the next review of the run ends; that one fails. */
  const isDisturbed = async (run: number): Promise<boolean> => {
    const end = busy.get(run);
    if (end) {
      end();
      return true;
    }
    const ended = new AbortController();
    busy.set(run, () => ended.abort());
    await setTimeout(unkind.reviewMs, undefined, { signal: ended.signal }).catch(() => {});
    busy.delete(run);
    if (unkind.reviews === 0) return false;
    unkind.reviews -= 1;
    return true;
  };

  router.get(
    `${base}/pending_deployments`,
    readBody,
    withRun(deps, (req, res, { repo, run }) => {
      const names = new Set(waitingJobs(run).map(({ plan }) => plan.environment?.toLowerCase() ?? ''));
      const shown = [...names].flatMap((name) => {
        const environment = environments.find(repo, name);
        if (!environment) return [];
        const { wait_timer, reviewers } = environment;
        const [first] = waitingJobs(run, name);
        return {
          environment: environmentBrief(deps, repo, environment),
          wait_timer,
          wait_timer_started_at: wait_timer > 0 ? (first?.started_at ?? null) : null,
          current_user_can_approve: reviewerOf(res, { run, environment }) !== undefined,
          reviewers: reviewers.map((reviewer) => ({ type: 'User', reviewer })),
        };
      });
      sendWithETag(req, res, shown);
    }),
  );

  /** The caller, if GitHub asks them to review the environment. */
  const reviewerOf = (res: Response, at: { run: Run; environment: Environment }): Account | undefined => {
    const caller = callerOf(res);
    if (caller.kind !== 'personal' && caller.kind !== 'user') return undefined;
    const { reviewers, prevent_self_review: isPrevented } = at.environment;
    if (isPrevented && latestOf(at.run).actor.login === caller.login) return undefined;
    return reviewers.find(({ login }) => login === caller.login);
  };

  const reviewAsPerson = withRun(deps, (req, res, { repo, run }) => {
    const { environment_ids: ids, state, comment } = jsonBodyOf(req);
    if (!Array.isArray(ids) || typeof comment !== 'string' || (state !== 'approved' && state !== 'rejected'))
      return refuse(res, 422, 'Invalid request. environment_ids, state and comment are required.');
    const chosen = environments.all(repo).filter(({ id }) => ids.includes(id));
    const found = chosen.map((environment) => {
      const jobs = waitingJobs(run, environment.name);
      const isOpen = ({ kind, state }: Gate) => kind === 'reviewers' && state === 'pending';
      const gates = jobs.flatMap((job) => job.gates.filter(isOpen));
      return { gates, jobs, name: environment.name, user: reviewerOf(res, { run, environment }) };
    });
    const [user] = found.map((one) => one.user);
    const isAllowed = found.every((one) => one.user && one.gates.length > 0);
    if (!user || !isAllowed) return res.status(422).json(REFUSED.nothing);
    const gates = found.flatMap((one) => one.gates);
    runs.review(repo, run, gates, { state, comment, user, environments: found.map(({ name }) => name) });
    const deployments = found.flatMap(({ jobs }) => jobs.flatMap(({ deployment }) => deployment ?? []));
    res.json(deployments.map((deployment) => deploymentObject(deps, repo, { run, deployment })));
  });
  router.post(`${base}/pending_deployments`, readBody, reviewAsPerson);

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
    const ours = waitingJobs(run, name).flatMap(({ gates }) => gates.filter(({ kind }) => kind === appID));
    const open = ours.filter((gate) => gate.state === 'pending');
    if (open.length === 0) return res.status(422).json(ours.length > 0 ? REFUSED.again : REFUSED.nothing);
    if (isReport && open.some(({ reports }) => reports >= MOST_REPORTS))
      return res.status(422).json(REFUSED.tooMany);
    const user = botOfApp({ id: appID, slug: app.app_slug });
    runs.review(repo, run, open, { state: state ?? 'pending', comment, user, environments: [name] });
    if (!isReport && unkind.lostReviews > 0) {
      unkind.lostReviews -= 1;
      return refuse(res, 502, 'Server Error');
    }
    res.status(204).end();
  });
  router.post(`${base}/deployment_protection_rule`, requireInstallation, readBody, review);

  return router;
}
