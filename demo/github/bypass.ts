import type { Response } from 'express';
import { callerOf } from './authenticate.ts';
import { BYPASS_PERMISSION } from './custom-roles.ts';
import type { Account, Membership, Repository } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';
import type { BypassActor } from './rulesets.ts';

type Deps = Pick<RouteDeps, 'emulator' | 'installations' | 'roles'>;
type Team = { id: number; slug: string };

/** GitHub's ids of the roles that every repository has. */
const ROLE_IDS: Record<string, number> = { maintain: 2, write: 4, admin: 5 };

async function isActor(deps: Deps, res: Response, repo: Repository, actor: BypassActor): Promise<boolean> {
  const { actor_id: id, actor_type: type } = actor;
  const caller = callerOf(res);
  if (caller.kind === 'installation')
    return type === 'Integration' && id === deps.installations.appOf(caller.installation);
  if (caller.kind !== 'personal' && caller.kind !== 'user') return false;
  const org = repo.owner.login;
  if (type === 'OrganizationAdmin') {
    const membership = await deps.emulator.get<Membership>(`/orgs/${org}/memberships/${caller.login}`);
    return membership?.role === 'admin';
  }
  if (type === 'RepositoryRole') {
    const role = (await deps.roles.nameOf(repo, caller.login)) ?? '';
    const custom = deps.roles.custom.of(repo.owner).find(({ name }) => name === role);
    return id === (ROLE_IDS[role] ?? custom?.id);
  }
  if (type === 'User') return (await deps.emulator.get<Account>(`/users/${caller.login}`))?.id === id;
  if (type !== 'Team') return false;
  const teams = await deps.emulator.list<Team>(`/orgs/${org}/teams`);
  const slug = teams.find((team) => team.id === id)?.slug;
  return (
    slug !== undefined &&
    (await deps.emulator.get(`/orgs/${org}/teams/${slug}/memberships/${caller.login}`)) !== undefined
  );
}

/** The most lenient mode in which the caller may go around a ruleset; undefined if they may not. */
export async function bypassModeOf(
  deps: Deps,
  res: Response,
  { repo, actors }: { repo: Repository; actors: readonly BypassActor[] },
): Promise<string | undefined> {
  const modes: string[] = [];
  for (const actor of actors) if (await isActor(deps, res, repo, actor)) modes.push(actor.bypass_mode);
  return ['exempt', 'always', 'pull_request'].find((mode) => modes.includes(mode));
}

/** Whether the caller may go around branch protection that doesn't bind administrators. */
export async function mayBypassProtection(
  { roles }: Deps,
  res: Response,
  repo: Repository,
): Promise<boolean> {
  const caller = callerOf(res);
  if (caller.kind !== 'personal' && caller.kind !== 'user') return false;
  const name = await roles.nameOf(repo, caller.login);
  const custom = roles.custom.of(repo.owner).find((role) => role.name === name);
  return name === 'admin' || (custom?.permissions.includes(BYPASS_PERMISSION) ?? false);
}
