import type { Response } from 'express';
import { FORBIDDEN, isGranted } from './administration.ts';
import { callerOf } from './authenticate.ts';
import type { Pull } from './github-objects.ts';
import { refuse } from './responses.ts';
import { hasRole, type Role } from './roles.ts';
import type { RouteDeps } from './route-deps.ts';

type Deps = Pick<RouteDeps, 'installations' | 'roles'>;

/** Whether the caller's own role is that high. An App has its permissions instead of a role. */
export async function isRoleEnough(
  { roles }: Deps,
  res: Response,
  { base }: Pull,
  least: Role,
): Promise<boolean> {
  const caller = callerOf(res);
  return !('login' in caller) || hasRole(await roles.of(base.repo, caller.login), least);
}

/** Whether an App may write with one of these permissions, for itself or for a person. */
function isAppAllowed({ installations }: Deps, res: Response, { base }: Pull, permissions: string[]) {
  const caller = callerOf(res);
  if (caller.kind === 'personal') return true;
  const installation = installations.findByLogin(base.repo.owner.login);
  const isOther = caller.kind === 'installation' && caller.installation !== installation?.id;
  if (!installation || isOther || !installations.includes(installation, base.repo.id)) return false;
  return permissions.some((permission) => isGranted(installation, permission, 'write'));
}

/**
 * Whether the caller may write about a pull request; sends GitHub's refusal if not. Everybody who can read a repository
 * may, if an App that does it for them has one of these permissions.
 */
export async function requireWriter(
  deps: Deps,
  res: Response,
  pull: Pull,
  permissions: string[],
): Promise<boolean> {
  const isHidden = pull.base.repo.private && !(await isRoleEnough(deps, res, pull, 'read'));
  if (callerOf(res).kind === 'anonymous') refuse(res, 401, 'Requires authentication');
  else if (isHidden) refuse(res, 404, 'Not Found');
  else if (!isAppAllowed(deps, res, pull, permissions)) refuse(res, 403, FORBIDDEN);
  else return true;
  return false;
}
