import { type RequestHandler, Router } from 'express';
import { requireRepositoryAdministration } from '../administration.ts';
import { sendWithETag } from '../etag.ts';
import type { Account } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { type RuleSuite, resultOf } from '../rule-suites.ts';

const HOUR_MS = 60 * 60_000;
const PERIODS: Record<string, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

/** How the rules judged the updates of a repository's branches (GitHub: "REST API endpoints for rule suites"). */
export function ruleSuiteRoutes(deps: RouteDeps): Router {
  const { emulator, ruleSuites } = deps;
  const router = Router();
  const path = '/repos/:owner/:repo/rulesets/rule-suites';
  router.get([path, `${path}/:id`], requireRepositoryAdministration(deps, 'read'));

  const summaryOf = async ({ id, repo, branch, before, after, actor, pushed_at, evaluations }: RuleSuite) => {
    const account = actor === null ? undefined : await emulator.get<Account>(`/users/${actor}`);
    const active = evaluations.filter(({ enforcement }) => enforcement === 'active');
    return {
      id,
      ...(account && { actor_id: account.id, actor_name: account.login }),
      before_sha: before,
      after_sha: after,
      ref: `refs/heads/${branch}`,
      repository_id: repo.id,
      repository_name: repo.name,
      pushed_at,
      result: resultOf(active),
      evaluation_result: resultOf(evaluations),
    };
  };

  const list: RequestHandler = async (req, res) => {
    const { ref, time_period = 'day', actor_name, rule_suite_result: wanted = 'all' } = req.query;
    const repo = await readRepository(emulator, req.params);
    if (!repo) return;
    const since = Date.now() - (PERIODS[String(time_period)] ?? 0);
    const all = await Promise.all(ruleSuites.of(repo).map(summaryOf));
    const found = all.filter(
      (suite) =>
        Date.parse(suite.pushed_at) >= since &&
        (ref === undefined || [suite.ref, suite.ref.replace('refs/heads/', '')].includes(String(ref))) &&
        (actor_name === undefined || suite.actor_name === actor_name) &&
        (wanted === 'all' || suite.result === wanted),
    );
    sendWithETag(req, res, paginate(req, res, found));
  };
  router.get(path, list);

  const show: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const found = repo && ruleSuites.of(repo).find(({ id }) => id === Number(req.params.id));
    if (!found) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const isEvaluated = found.evaluations.some(({ enforcement }) => enforcement === 'evaluate');
    const summary = await summaryOf(found);
    sendWithETag(req, res, {
      ...summary,
      evaluation_result: isEvaluated ? summary.evaluation_result : null,
      rule_evaluations: found.evaluations,
    });
  };
  router.get(`${path}/:id`, show);

  return router;
}
