import { isTeam, type Permission, permissions } from '../contract/accounts.ts';
import type { RuleOutcome } from '../contract/approvals.ts';
import type { Policy, Rule } from '../contract/policy.ts';
import type { AssuredAuthenticator } from './assurance.ts';
import {
  type KnownPeople,
  knownPushers,
  type PersonDetails,
  type PullDetails,
  type RuledPull,
} from './details.ts';
import { unite } from './initiators.ts';

/** A person, and the authenticator that they approved with or are going to. */
export type Approver = AssuredAuthenticator & {
  githubId: number;
  userVerified: boolean;
  /** True if they approve as an outside collaborator, and not as a member of the organization. */
  fromOutside: boolean;
};

/** A property that a rule asks for and an approval doesn't have. */
export type Obstacle = 'from' | 'permission' | NotBy | 'methods' | 'userVerification';

/** The first reason why a rule doesn't count the approval; null if it counts. */
export function obstacleTo(
  rule: Rule,
  approver: Approver,
  { pull, details }: { pull: RuledPull; details: PullDetails },
): Obstacle | null {
  const { require } = rule;
  const person = details.people.find(({ githubId }) => githubId === approver.githubId);
  if (!person || !require.from.some((source) => isFrom(source, person, require.permission))) return 'from';
  if (require.permission && !isAtLeast(person.permission, require.permission)) return 'permission';
  const exclusion = exclusionOf(rule, approver.githubId, { pull, details });
  if (exclusion) return exclusion;
  if (require.methods && !require.methods.includes(approver.method)) return 'methods';
  return require.userVerification === 'required' && !approver.userVerified ? 'userVerification' : null;
}

/** Everybody has to be a member now, except a collaborator, who has to be able to write. */
function isFrom(source: string, person: PersonDetails, permission: Permission = 'write'): boolean {
  if (source === 'collaborators') return person.isCollaborator && isAtLeast(person.permission, permission);
  if (person.role === null) return false;
  if (source === 'members') return true;
  if (source === 'owners') return person.role === 'admin';
  if (isTeam(source)) return person.teams.includes(source);
  return person.login.toLowerCase() === source.toLowerCase();
}

export const isAtLeast = (permission: Permission | 'none', least: Permission): boolean =>
  permission !== 'none' && permissions.indexOf(permission) >= permissions.indexOf(least);

/** The author of a pull request, the authors and committers of its commits, who pushed its head, or who asked for it. */
export type NotBy = Rule['require']['notBy'][number];

/** The people who started a deployment's run are excluded too. Without a pull request, nobody knows who wrote the commit. */
function excludedAs(who: NotBy, pull: RuledPull, details: PullDetails): KnownPeople {
  const { deployment } = pull;
  const ofPull = excludedFromPull(who, pull, details);
  if (!deployment || who === 'committers') return ofPull;
  return deployment.isWithoutPull ? deployment.starters : unite([deployment.starters, ofPull]);
}

function excludedFromPull(who: NotBy, { author }: RuledPull, details: PullDetails): KnownPeople {
  const { commits } = details;
  if (who === 'author') return { people: author ? [author] : [], areAllKnown: author !== null };
  if (who === 'pusher') return knownPushers(details);
  if (who === 'initiator') return details.initiators;
  const areAllKnown = commits?.isComplete === true && commits.areAllKnown;
  return { people: commits?.people ?? [], areAllKnown };
}

/** The reason for which a rule excludes this person; null if it doesn't, as far as OTP Guard knows. */
const exclusionOf = (
  { require: { notBy } }: Rule,
  githubId: number,
  { pull, details }: { pull: RuledPull; details: PullDetails },
): NotBy | null =>
  notBy.find((who) => excludedAs(who, pull, details).people.some(({ id }) => id === githubId)) ?? null;

/** The GitHub ids of the people that a rule excludes, as far as OTP Guard knows them. */
export const excludedPeople = (
  { require: { notBy } }: Rule,
  { pull, details }: { pull: RuledPull; details: PullDetails },
): number[] => [
  ...new Set(notBy.flatMap((who) => excludedAs(who, pull, details).people.map(({ id }) => id))),
];

/** The exclusions of a rule whose people OTP Guard doesn't all know: the rule asks for one more approval then. */
export const unknownToExclude = (
  { require: { notBy } }: Rule,
  pull: RuledPull,
  details: PullDetails,
): NotBy[] => [...new Set(notBy)].filter((who) => !excludedAs(who, pull, details).areAllKnown);

/** An approval, as rules see it. */
export type GivenApproval = Approver & { id: string };

/** The outcome of a rule for a pull request. */
export type JudgedRule<A = GivenApproval> = Omit<RuleOutcome, 'by'> & {
  /** The approvals that count for it: one of each person, at most the number that it asks for. */
  counted: A[];
};

/** The details that rules are judged by. `hasRoots`: whether the operator trusts attestation roots. */
export type Grounds = { policy: Policy; details: PullDetails; hasRoots: boolean };
