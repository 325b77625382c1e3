import { isTeam, type Permission, permissions, type Rule } from '../contract/policy.ts';
import type { AssuredAuthenticator } from './assurance.ts';
import { exclusionOf, type NotBy } from './excluded.ts';
import type { PersonFacts, PullFacts, RuledPull } from './facts.ts';

/** A person, and the authenticator that they approved with or are going to. */
export type Approver = AssuredAuthenticator & {
  githubId: number;
  userVerified: boolean;
  /** Whether they approve as an outside collaborator, and not as a member of the organization. */
  fromOutside: boolean;
};

/** What a rule asks for and an approval doesn't have. */
export type Obstacle = 'from' | 'permission' | NotBy | 'methods' | 'userVerification';

/** The first reason why a rule doesn't count the approval; null if it counts. */
export function obstacleTo(
  rule: Rule,
  approver: Approver,
  { pull, facts }: { pull: RuledPull; facts: PullFacts },
): Obstacle | null {
  const { require } = rule;
  const person = facts.people.find(({ githubId }) => githubId === approver.githubId);
  if (!person || !require.from.some((source) => isFrom(source, person, require.permission))) return 'from';
  if (require.permission && !hasPermission(person, require.permission)) return 'permission';
  const exclusion = exclusionOf(rule, approver.githubId, { pull, facts });
  if (exclusion) return exclusion;
  if (require.methods && !require.methods.includes(approver.method)) return 'methods';
  return require.userVerification === 'required' && !approver.userVerified ? 'userVerification' : null;
}

/** Everybody has to be a member now, except a collaborator, who has to be able to write. */
function isFrom(source: string, person: PersonFacts, permission: Permission = 'write'): boolean {
  if (source === 'collaborators') return person.isCollaborator && hasPermission(person, permission);
  if (person.role === null) return false;
  if (source === 'members') return true;
  if (source === 'owners') return person.role === 'admin';
  if (isTeam(source)) return person.teams.includes(source);
  return person.login.toLowerCase() === source.toLowerCase();
}

const hasPermission = ({ permission }: PersonFacts, least: Permission) =>
  permission !== 'none' && permissions.indexOf(permission) >= permissions.indexOf(least);
