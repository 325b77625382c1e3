import type { RulesetActor } from '../contract/bypass-lists.ts';
import type { BypassActor } from '../contract/protection.ts';

export const ADMINISTRATORS: BypassActor = {
  type: 'administrators',
  id: null,
  name: 'administrators',
  mode: 'always',
};

/** GitHub's ids of the roles that every repository has (docs.github.com, "REST API endpoints for rules"). */
const ROLES: Record<number, string> = { 2: 'people who can maintain', 4: 'people who can write' };
const ADMIN_ROLE = 5;

const NAMES = {
  owners: 'owners',
  deployKeys: 'deploy keys',
  role: 'the custom role',
  team: 'the team',
  app: 'the App',
  person: 'the person',
  other: 'the actor',
};

/** An owner pastes the types too, so a type must not be found among the properties of every object. */
const TYPES = new Map<string, keyof typeof NAMES>([
  ['OrganizationAdmin', 'owners'],
  ['DeployKey', 'deployKeys'],
  ['RepositoryRole', 'role'],
  ['Team', 'team'],
  ['Integration', 'app'],
  ['User', 'person'],
]);

/** An actor in a ruleset's bypass list. GitHub gives numbers, so a name is a known one or the number. */
export function toBypassActor({ actor_id, actor_type, bypass_mode }: RulesetActor): BypassActor {
  const mode =
    bypass_mode === 'pull_request' ? 'pullRequest' : bypass_mode === 'exempt' ? 'exempt' : 'always';
  if (actor_type === 'RepositoryRole' && actor_id === ADMIN_ROLE) return { ...ADMINISTRATORS, mode };
  const type = TYPES.get(actor_type) ?? 'other';
  if (type === 'owners' || type === 'deployKeys') return { type, id: null, name: NAMES[type], mode };
  const id = actor_id ?? null;
  const ofEveryRepository = type === 'role' ? ROLES[id ?? 0] : undefined;
  return { type, id, name: ofEveryRepository ?? `${NAMES[type]} ${id ?? actor_type}`, mode };
}
