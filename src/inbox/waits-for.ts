import { isTeam, type Permission, permissions } from '../contract/accounts.ts';
import type { AskedBy } from '../contract/inbox.ts';
import type { Policy, Rule } from '../contract/policy.ts';
import type { Lack, Organization, Role } from '../organizations/ports.ts';
import { obstacleTo } from '../policies/counts.ts';
import { NO_DETAILS } from '../policies/details.ts';
import type { Candidate, PullHead, WaitingPull } from './ports.ts';

/** The details about a person in one organization that decide which pull requests wait for them. */
export type Standing = {
  githubId: number;
  login: string;
  /** Null for an outside collaborator. */
  role: Role | null;
  /** Their teams (`@org/team`), in lower case. */
  teams: ReadonlySet<string>;
  /** Undefined if they can't see the repository. */
  permissionIn(repoId: number): Permission | undefined;
  /** Tells whether they approved another commit of the pull request, and not this one. */
  hasApprovedEarlier(pull: PullHead): boolean;
  /** Tells whether they approved this commit just now. The stored pull request may not show that yet. */
  hasJustApproved(pull: PullHead): boolean;
};

type Where = { org: Organization; policy: Policy };

/**
 * The part of a pull request that waits for this person: the lacks that their approval
 * would count for, by what is stored. Empty if they can't see the repository, if somebody denied the head, or if they
 * approved it just now. It only decides what they're shown: GitHub is asked again
 * before each approval.
 */
function lacksFor(pull: WaitingPull, standing: Standing, { org, policy }: Where): Lack[] {
  const permission = standing.permissionIn(pull.repoId);
  if (!permission || pull.denied || standing.hasJustApproved(pull)) return [];
  // The members of a personal account are those who can write to the repository.
  if (org.accountType === 'User' && permissions.indexOf(permission) < permissions.indexOf('write')) return [];
  return pull.lacks.filter((lack) => {
    if ([...lack.counted, ...lack.excluded].includes(standing.githubId)) return false;
    if (lack.rule === '') return standing.role !== null;
    const rule = ruleOf(policy, lack);
    return rule !== undefined && counts(rule, { pull, standing, permission, org });
  });
}

/** Undefined if the policy was changed and the pull request isn't judged by the new one yet. */
const ruleOf = ({ rules }: Policy, lack: Lack): Rule | undefined =>
  rules.find(({ name, enforced }) => enforced && name === lack.rule);

type About = { pull: WaitingPull; standing: Standing; permission: Permission; org: Organization };

/** Tells whether the rule would count an approval that meets its conditions. The caller knows who is excluded. */
function counts(rule: Rule, { pull, standing, permission, org }: About): boolean {
  const { githubId, login, role, teams } = standing;
  const named = rule.require.from.filter((source) => teams.has(source.toLowerCase()));
  const person = { githubId, login, role, permission, isCollaborator: role === null, teams: named };
  const method = rule.require.methods?.[0] ?? 'passkey';
  const best = { method, deviceBound: true, aaguid: '', modelVerified: true, userVerified: true };
  const about = {
    pull: { repo: { owner: org.name, name: pull.repoName }, base: pull.base, author: null },
    details: { ...NO_DETAILS, people: [person] },
  };
  return obstacleTo(rule, { ...best, githubId, fromOutside: role === null }, about) === null;
}

/** All members and all owners of an organization; null if there are too many to count one by one, or if we don't know. */
export type Pools = { members: Candidate[] | null; owners: Candidate[] | null };

/** An organization, its policy and its people. */
export type Here = Where & { pools: Pools };

/** Why a pull request waits for this person and no other, or null for that. Null if it doesn't wait for them. */
export function waitsFor(
  pull: WaitingPull,
  standing: Standing,
  where: Here,
): { asked: AskedBy | null } | null {
  const lacks = lacksFor(pull, standing, where);
  return lacks.length > 0 ? { asked: askedBy(pull, lacks, standing, where) } : null;
}

function askedBy(pull: WaitingPull, lacks: Lack[], standing: Standing, where: Here): AskedBy | null {
  if (lacks.some((lack) => isNamed(sourcesOf(lack, where), standing))) return 'named';
  if (isReviewer(pull, standing, where)) return 'review';
  if (standing.hasApprovedEarlier(pull)) return 'earlier';
  return lacks.some((lack) => isLast(lack, where)) ? 'last' : null;
}

/** Without a rule, members approve. */
const sourcesOf = (lack: Lack, { policy }: Where): string[] =>
  lack.rule === '' ? ['members'] : (ruleOf(policy, lack)?.require.from ?? []);

const KINDS = ['members', 'owners', 'collaborators'];

const isNamed = (from: string[], { login, teams }: Standing): boolean =>
  from.some((source) => {
    const name = source.toLowerCase();
    return isTeam(name) ? teams.has(name) : !KINDS.includes(source) && name === login.toLowerCase();
  });

/** Tells whether a rule that it lacks, or a review request, names a person or a team. */
export const namesSomebody = ({ reviewers, lacks }: WaitingPull, where: Here): boolean =>
  [...(reviewers?.people ?? []), ...(reviewers?.teams ?? [])].length > 0 ||
  lacks.some((lack) => sourcesOf(lack, where).some((source) => !KINDS.includes(source)));

const isReviewer = ({ reviewers }: WaitingPull, { githubId, teams }: Standing, { org }: Where): boolean =>
  reviewers !== null &&
  (reviewers.people.includes(githubId) || reviewers.teams.some((slug) => teams.has(teamName(org, slug))));

/** A team of the organization as rules name it, in lower case. */
export const teamName = ({ name }: Where['org'], slug: string): string => `@${name}/${slug}`.toLowerCase();

/** Tells whether everyone who is left has to approve. */
function isLast(lack: Lack, where: Here): boolean {
  const pool = poolOf(sourcesOf(lack, where), where.pools);
  if (!pool) return false;
  const gone = new Set([...lack.counted, ...lack.excluded]);
  return pool.filter(({ githubId }) => !gone.has(githubId)).length <= lack.lacking;
}

/** Lists the people who could give such an approval; null for members of teams and collaborators, whom we can't count. */
function poolOf(from: string[], { members, owners }: Pools): Candidate[] | null {
  if (from.some((source) => isTeam(source) || source === 'collaborators')) return null;
  if (from.includes('members')) return members;
  const isOnlyOwners = from.every((source) => source === 'owners');
  if (isOnlyOwners) return owners;
  const names = new Set(from.map((source) => source.toLowerCase()));
  const isOwner = (role: Candidate['role']) => role === 'admin' && from.includes('owners');
  return members?.filter(({ login, role }) => names.has(login.toLowerCase()) || isOwner(role)) ?? null;
}
