import { type RequestHandler, Router } from 'express';
import { pageOf, refuse } from './answers.ts';
import { sendConditionally } from './conditional.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import { repositoriesOf } from './repositories.ts';
import type { Account, Installation, Membership, Repository } from './shapes.ts';

const FOR_APP_USERS =
  'You must authenticate with an access token authorized to a GitHub App in order to list installations';
const FOR_INSTALLATIONS =
  'You must authenticate with an installation access token in order to list repositories for an installation.';

/** What a user token, or an installation's token, may list about itself. */
export function userRoutes(local: Local): Router {
  const router = Router();
  const { installations, upstream } = local;

  /** Whether the bearer belongs to the installation's organization, or collaborates on a repository in it. */
  const canReach = async (installation: Installation, login: string) => {
    const { account } = installation;
    if (account.login === login) return true;
    if (await upstream.get(`/orgs/${account.login}/memberships/${login}`)) return true;
    const repositories = await upstream.list<Repository>(repositoriesOf(account));
    const collaborators = await Promise.all(
      repositories.map((repo) => upstream.list<Account>(`/repos/${repo.full_name}/collaborators`)),
    );
    return collaborators.flat().some((collaborator) => collaborator.login === login);
  };

  const requireUser: RequestHandler = (_req, res, next) => {
    const { kind } = callerOf(res);
    if (kind === 'user' || kind === 'personal') {
      next();
      return;
    }
    if (kind === 'nobody') refuse(res, 401, 'Requires authentication');
    else refuse(res, 403, 'Resource not accessible by integration');
  };
  // https://docs.github.com/en/rest/users/users#get-a-user-using-their-id
  router.get(/^\/user\/([0-9]+)$/, async (req, res) => {
    const id = Number(req.params[0]);
    const [found] = (await upstream.get<Account[]>(`/users?since=${id - 1}&per_page=1`)) ?? [];
    if (found?.id === id) res.json(found);
    else refuse(res, 404, 'Not Found');
  });
  router.use('/user', requireUser);

  router.get('/user/installations', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user') {
      refuse(res, 403, FOR_APP_USERS);
      return;
    }
    const reachable: Installation[] = [];
    for (const each of installations.all()) {
      if (await canReach(each, caller.login)) reachable.push(each);
    }
    res.json({ total_count: reachable.length, installations: pageOf(req, res, reachable) });
  });

  router.get('/user/installations/:id/repositories', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user') {
      refuse(res, 403, FOR_APP_USERS);
      return;
    }
    const installation = installations.find(Number(req.params.id));
    if (!installation || !(await canReach(installation, caller.login))) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const repositories = await upstream.list<Repository>(repositoriesOf(installation.account), caller.inner);
    res.json({
      total_count: repositories.length,
      repository_selection: installation.repository_selection,
      repositories: pageOf(req, res, repositories),
    });
  });

  router.get('/installation/repositories', async (req, res) => {
    const caller = callerOf(res);
    const installation = caller.kind === 'installation' && installations.find(caller.installation);
    if (!installation) {
      refuse(res, caller.kind === 'nobody' ? 401 : 403, FOR_INSTALLATIONS);
      return;
    }
    const repositories = await upstream.list<Repository>(repositoriesOf(installation.account));
    sendConditionally(req, res, {
      total_count: repositories.length,
      repository_selection: installation.repository_selection,
      repositories: pageOf(req, res, repositories),
    });
  });

  const membershipsOf = async (login: string, token: string) => {
    const orgs = await upstream.get<Account[]>('/user/orgs', token);
    const found = await Promise.all(
      (orgs ?? []).map((org) => upstream.get<Membership>(`/orgs/${org.login}/memberships/${login}`)),
    );
    return found.filter((membership) => membership !== undefined);
  };

  router.get('/user/memberships/orgs', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user' && caller.kind !== 'personal') return;
    const { state } = req.query;
    const all = await membershipsOf(caller.login, caller.inner);
    const wanted = all.filter((membership) => state === undefined || membership.state === state);
    res.json(pageOf(req, res, wanted));
  });

  router.get('/user/memberships/orgs/:org', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user' && caller.kind !== 'personal') return;
    const all = await membershipsOf(caller.login, caller.inner);
    const wanted = all.find(({ organization }) => organization.login === req.params.org);
    if (wanted) res.json(wanted);
    else refuse(res, 404, 'Not Found');
  });

  return router;
}
