import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isBot } from '../bots.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Pull } from '../github-objects.ts';
import { createPullEvents } from '../pull-events.ts';
import { isRoleEnough, requireWriter } from '../pull-writers.ts';
import { refuse } from '../responses.ts';
import { hasRole } from '../roles.ts';
import type { RouteDeps } from '../route-deps.ts';

/** GitHub: "Add assignees to an issue". */
const MOST = 10;

/**
 * The assignees of pull requests (GitHub: "REST API endpoints for issue assignees"). GitHub ignores names of people who
 * can't be assigned, everybody after the tenth, and the whole request of a person who may read but not assign.
 */
export function assigneeRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, pullOverlay, roles } = deps;
  const sendWebhook = createPullEvents(deps);

  const readPull = ({ params }: Request) =>
    emulator.get<Pull>(`/repos/${params.owner}/${params.repo}/pulls/${params.number}`);

  /** The people with these names who can read the repository, and machines. */
  const findAssignable = async (names: string[], { base }: Pull) => {
    const found = await Promise.all(
      names.map(async (name) => {
        const account = await emulator.get<Account>(`/users/${encodeURIComponent(name)}`);
        if (!account) return [];
        const role = isBot(account) ? 'read' : await roles.of(base.repo, account.login);
        return hasRole(role, 'read') ? [account] : [];
      }),
    );
    return found.flat();
  };

  const change: RequestHandler = async (req, res, next) => {
    const before = await readPull(req);
    if (!before) {
      // An issue, or nothing.
      next();
      return;
    }
    if (!(await requireWriter(deps, res, before, ['issues', 'pull_requests']))) return;
    const { assignees = [] } = jsonBodyOf(req) as { assignees?: unknown };
    if (!Array.isArray(assignees)) return refuse(res, 422, 'Validation Failed');
    const isAdded = req.method === 'POST';
    // GitHub's table of repository roles: people with triage may assign.
    if (await isRoleEnough(deps, res, before, 'triage')) {
      const named = await findAssignable(assignees.map(String), before);
      await assign(res, before, isAdded ? [...before.assignees, ...named] : without(before.assignees, named));
    }
    const after = await readPull(req);
    res.status(isAdded ? 201 : 200).json(after && issueOf(after));
  };

  /** Sends one webhook for each person who was assigned or isn't any longer. */
  const assign = async (res: Response, pull: Pull, people: Account[]) => {
    const unique = people.filter(({ id }, at) => people.findIndex((one) => one.id === id) === at);
    const assigned = unique.slice(0, MOST);
    pullOverlay.assign(pull, assigned);
    const after = pullOverlay.apply(pull) as Pull;
    for (const assignee of without(assigned, pull.assignees))
      await sendWebhook(res, 'assigned', after, { assignee });
    for (const assignee of without(pull.assignees, assigned))
      await sendWebhook(res, 'unassigned', after, { assignee });
  };

  const path = '/repos/:owner/:repo/issues/:number/assignees';
  router.post(path, readBody, change);
  router.delete(path, readBody, change);

  return router;
}

const without = (some: Account[], others: Account[]) =>
  some.filter(({ id }) => !others.some((one) => one.id === id));

/** A pull request as GitHub's answers about issues show it. */
function issueOf(pull: Pull & Record<string, unknown>): object {
  const { id, node_id, number, title, body, state, locked, user, labels, assignee, assignees } = pull;
  const { milestone, comments, created_at, updated_at, closed_at, author_association, draft } = pull;
  const { issue_url: url, html_url, diff_url, patch_url, merged_at } = pull;
  const times = { created_at, updated_at, closed_at };
  return {
    ...{ id, node_id, number, title, body, state, locked, user, labels, assignee, assignees, milestone },
    ...{ comments, ...times, author_association, draft, url, html_url },
    active_lock_reason: null,
    state_reason: null,
    performed_via_github_app: null,
    repository_url: pull.base.repo.url,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    pull_request: { url: pull.url, html_url, diff_url, patch_url, merged_at },
  };
}
