import type { RequestHandler, Response } from 'express';
import { callerOf } from './authenticate.ts';
import type { Account, AppAccess, Membership, Repository } from './github-objects.ts';
import { readRepository } from './repositories.ts';
import { refuse } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';

export const FORBIDDEN = 'Resource not accessible by integration';
const RANK: Record<string, number> = { read: 1, write: 2, admin: 3 };

type Level = 'read' | 'write';
type Deps = Pick<RouteDeps, 'emulator' | 'installations' | 'roles'>;

/** Whether the account granted the App the permission at this level or a higher one. */
export const isGranted = ({ permissions }: AppAccess, permission: string, level: Level) =>
  (RANK[permissions[permission] ?? ''] ?? 0) >= (RANK[level] ?? 0);

/** The owner of the settings, and the App's permission for them. */
type Scope = { account: Account; repo?: Repository; permission: string };

/** Whether the App may read or change the settings at this scope, for itself or for a person. */
const isAppAllowed = ({ installations }: Deps, res: Response, scope: Scope, level: Level) => {
  const { account, repo, permission } = scope;
  const caller = callerOf(res);
  const installation = installations.findByLogin(account.login);
  if (!installation || !isGranted(installation, permission, level)) return false;
  if (repo && !installations.includes(installation, repo.id)) return false;
  return (
    caller.kind === 'user' || (caller.kind === 'installation' && caller.installation === installation.id)
  );
};

/** Whether the caller, a person, administrates the repository or owns the organization. */
async function isAdministrator({ emulator, roles }: Deps, res: Response, { account, repo }: Scope) {
  const caller = callerOf(res);
  if (caller.kind !== 'personal' && caller.kind !== 'user') return false;
  if (repo) return (await roles.of(repo, caller.login)) === 'admin';
  const path = `/orgs/${account.login}/memberships/${caller.login}`;
  return (await emulator.get<Membership>(path))?.role === 'admin';
}

/** Whether the caller may read or change the settings at this scope: GitHub's "Administration" permissions. */
export async function mayAdministrate(
  deps: Deps,
  res: Response,
  scope: Scope,
  level: Level,
): Promise<boolean> {
  const { kind } = callerOf(res);
  const isForApp = kind === 'installation' || kind === 'user';
  if (isForApp && !isAppAllowed(deps, res, scope, level)) return false;
  return kind === 'installation' || isAdministrator(deps, res, scope);
}

/** Refuses as GitHub does: an App hears that it may not, and a person that there is nothing. */
async function requireAt(deps: Deps, res: Response, scope: Scope, level: Level): Promise<boolean> {
  const { kind } = callerOf(res);
  if (await mayAdministrate(deps, res, scope, level)) return true;
  const isForApp = kind === 'installation' || kind === 'user';
  if (kind === 'anonymous') refuse(res, 401, 'Requires authentication');
  else if (isForApp && !isAppAllowed(deps, res, scope, level)) refuse(res, 403, FORBIDDEN);
  else refuse(res, 404, 'Not Found');
  return false;
}

export const repositoryScope = (repo: Repository): Scope => ({
  account: repo.owner,
  repo,
  permission: 'administration',
});

export const organizationScope = (account: Account, permission = 'organization_administration'): Scope => ({
  account,
  permission,
});

/** Lets administrators of the repository `:owner/:repo` pass, and Apps with its permission "Administration". */
export function requireRepositoryAdministration(deps: Deps, level: Level): RequestHandler {
  return async (req, res, next) => {
    const repo = await readRepository(deps.emulator, req.params);
    if (!repo) refuse(res, 404, 'Not Found');
    else if (await requireAt(deps, res, repositoryScope(repo), level)) next();
  };
}

/** Lets owners of the organization `:org` pass, and Apps with the permission for it. */
export function requireOrganizationAdministration(
  deps: Deps,
  level: Level,
  permission?: string,
): RequestHandler {
  return async (req, res, next) => {
    const org = await deps.emulator.get<Account>(`/orgs/${req.params.org}`);
    if (!org) refuse(res, 404, 'Not Found');
    else if (await requireAt(deps, res, organizationScope(org, permission), level)) next();
  };
}
