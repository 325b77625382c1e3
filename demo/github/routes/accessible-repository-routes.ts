import { type RequestHandler, Router } from 'express';
import { readVisible } from '../actions/access.ts';
import { callerOf } from '../authenticate.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import { sendWithETag } from '../etag.ts';
import { readBody } from '../forward.ts';
import type { Account, Installation, Repository } from '../github-objects.ts';
import { listRepositories } from '../repositories.ts';
import { paginate, refuse } from '../responses.ts';
import { permissionsOf } from '../roles.ts';
import type { RouteDeps } from '../route-deps.ts';

const USER_TOKENS_ONLY =
  'You must authenticate with an access token authorized to a GitHub App in order to list installations';
const INSTALLATION_TOKENS_ONLY =
  'You must authenticate with an installation access token in order to list repositories for an installation.';

/** Whether the person is a member of the installation's organization, or a collaborator on one of its repositories. */
async function hasAccess(
  emulator: EmulatorClient,
  { account }: Installation,
  login: string,
): Promise<boolean> {
  if (account.login === login) return true;
  if (await emulator.get(`/orgs/${account.login}/memberships/${login}`)) return true;
  const repositories = await listRepositories(emulator, account);
  const collaborators = await Promise.all(
    repositories.map((repo) => emulator.list<Account>(`/repos/${repo.full_name}/collaborators`)),
  );
  return collaborators.flat().some((collaborator) => collaborator.login === login);
}

/** The installations and repositories that a user token or an installation token can access. */
export function accessibleRepositoryRoutes(deps: RouteDeps): Router {
  const { installations, emulator, behindSso, roles } = deps;
  const router = Router();

  const repositoriesOf = async (installation: Installation) => {
    const all = await listRepositories(emulator, installation.account);
    return all.filter(({ id }) => installations.includes(installation, id));
  };

  router.get('/user/installations', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user') {
      refuse(res, 403, USER_TOKENS_ONLY);
      return;
    }
    const accessible: Installation[] = [];
    for (const installation of installations.all()) {
      if (behindSso.has(installation.account.id)) continue;
      if (await hasAccess(emulator, installation, caller.login)) accessible.push(installation);
    }
    res.json({ total_count: accessible.length, installations: paginate(req, res, accessible) });
  });

  const listForUser: RequestHandler = async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user') {
      refuse(res, 403, USER_TOKENS_ONLY);
      return;
    }
    const installation = installations.find(Number(req.params.id));
    if (!installation || !(await hasAccess(emulator, installation, caller.login))) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const all = await repositoriesOf(installation);
    const held = await Promise.all(all.map((repo) => roles.of(repo, caller.login)));
    // Only repositories that the person was given access to: of the others, everybody can read the public ones.
    const repositories = all.flatMap((repo, at) => {
      const role = held[at];
      return role && role !== 'none' ? [{ ...repo, permissions: permissionsOf(role) }] : [];
    });
    res.json({
      total_count: repositories.length,
      repository_selection: installation.repository_selection,
      repositories: paginate(req, res, repositories),
    });
  };
  router.get('/user/installations/:id/repositories', listForUser);

  const listOfOrganization: RequestHandler = async (req, res) => {
    const org = await emulator.get<Account>(`/orgs/${req.params.org}`);
    if (!org) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const caller = callerOf(res);
    const login = caller.kind === 'personal' || caller.kind === 'user' ? caller.login : '';
    const all = await listRepositories(emulator, { ...org, type: 'Organization' });
    const held = await Promise.all(all.map((repo) => roles.of(repo, login)));
    const isVisible = (repo: Repository, at: number) => !repo.private || (held[at] ?? 'none') !== 'none';
    sendWithETag(req, res, paginate(req, res, all.filter(isVisible)));
  };
  router.get('/orgs/:org/repos', listOfOrganization);

  // The emulator omits the two numbers.
  router.get('/repos/:owner/:repo', readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (repo) sendWithETag(req, res, { ...repo, network_count: 0, subscribers_count: 0 });
  });

  router.get('/installation/repositories', async (req, res) => {
    const caller = callerOf(res);
    const installation = caller.kind === 'installation' && installations.find(caller.installation);
    if (!installation) {
      refuse(res, caller.kind === 'anonymous' ? 401 : 403, INSTALLATION_TOKENS_ONLY);
      return;
    }
    const repositories = await repositoriesOf(installation);
    sendWithETag(req, res, {
      total_count: repositories.length,
      repository_selection: installation.repository_selection,
      repositories: paginate(req, res, repositories),
    });
  });

  return router;
}
