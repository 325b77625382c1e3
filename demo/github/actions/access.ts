import type { Request, RequestHandler, Response } from 'express';
import { FORBIDDEN, isGranted } from '../administration.ts';
import { callerOf, emulatorTokenOf } from '../authenticate.ts';
import type { Account, Installation, Repository } from '../github-objects.ts';
import { refuse, relay } from '../responses.ts';
import { hasRole } from '../roles.ts';
import type { RouteDeps } from '../route-deps.ts';

type Deps = Pick<RouteDeps, 'emulator' | 'installations' | 'roles'>;

/** The repository that the route names, if the caller may see it; else sends the refusal. */
export async function readVisible(deps: Deps, req: Request, res: Response): Promise<Repository | undefined> {
  const token = emulatorTokenOf(res);
  const path = `/repos/${req.params.owner}/${req.params.repo}`;
  const headers = { authorization: token === undefined ? '' : `Bearer ${token}` };
  const answer = await deps.emulator.send({ method: 'GET', path, headers });
  if (answer.status === 200) return answer.json as Repository;
  relay(res, answer);
  return undefined;
}

/** The installation, if it's on the repository's account and was granted the permission. */
export function findWriter(
  { installations }: Pick<RouteDeps, 'installations'>,
  repo: Repository,
  { id, permission }: { id: number; permission: string },
): Installation | undefined {
  const found = installations.findAny(id);
  const isHere = found?.account.id === repo.owner.id && installations.includes(found, repo.id);
  return isHere && isGranted(found, permission, 'write') ? found : undefined;
}

/** Whether the caller may write Actions: an App with the permission, or a person with the role "write". */
async function mayWrite(deps: Deps, res: Response, repo: Repository): Promise<boolean> {
  const caller = callerOf(res);
  if (caller.kind === 'installation')
    return findWriter(deps, repo, { id: caller.installation, permission: 'actions' }) !== undefined;
  if (caller.kind !== 'personal' && caller.kind !== 'user') return false;
  // A person's token from the App can do what both may.
  const ours = deps.installations.findByLogin(repo.owner.login);
  const isAllowed =
    caller.kind === 'personal' ||
    (ours !== undefined && findWriter(deps, repo, { id: ours.id, permission: 'actions' }) !== undefined);
  return isAllowed && hasRole(await deps.roles.of(repo, caller.login), 'write');
}

/** Lets callers pass who may start, repeat and cancel runs of the repository `:owner/:repo`. */
export function requireActionsWrite(deps: Deps): RequestHandler {
  return async (req, res, next) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const { kind } = callerOf(res);
    if (await mayWrite(deps, res, repo)) next();
    else if (kind === 'anonymous') refuse(res, 401, 'Requires authentication');
    else if (kind === 'personal') refuse(res, 403, 'Must have write access to the repository.');
    else refuse(res, 403, FORBIDDEN);
  };
}

/** An App's account, as it reviews and starts runs. */
export const botOfApp = ({ id, slug }: { id: number; slug: string }): Account & Record<string, unknown> => ({
  login: `${slug}[bot]`,
  id,
  node_id: `BOT_${id}`,
  avatar_url: '',
  type: 'Bot',
  site_admin: false,
});
