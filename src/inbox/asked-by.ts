import type { AskedBy } from '../contract/inbox.ts';
import { isTeam } from '../contract/policy.ts';
import type { Lack } from '../organizations/ports.ts';
import type { Candidate, WaitingPull } from './ports.ts';
import { lacksFor, ruleOf, type Standing, type Where } from './waits-for.ts';

/** All members and all owners of an organization; null if there are too many to count one by one, or if we don't know. */
export type Pools = { members: Candidate[] | null; owners: Candidate[] | null };

/** The rules for which a pull request waits for this person, and why for them and no other. Null if it doesn't wait. */
export function waitsFor(
  pull: WaitingPull,
  standing: Standing,
  where: Where & { pools: Pools },
): { lacks: Lack[]; asked: AskedBy | null } | null {
  const lacks = lacksFor(pull, standing, where);
  if (lacks.length === 0) return null;
  return { lacks, asked: askedBy(pull, lacks, standing, where) };
}

function askedBy(
  pull: WaitingPull,
  lacks: Lack[],
  standing: Standing,
  where: Where & { pools: Pools },
): AskedBy | null {
  if (lacks.some((lack) => isNamed(sourcesOf(lack, where), standing))) return 'named';
  if (isReviewer(pull, standing, where)) return 'review';
  return lacks.some((lack) => isLast(lack, where)) ? 'last' : null;
}

/** The sources of the seed are the members. */
const sourcesOf = (lack: Lack, { policy }: Where): string[] =>
  lack.rule === '' ? ['members'] : (ruleOf(policy, lack)?.require.from ?? []);

const KINDS = ['members', 'owners', 'collaborators'];

const isNamed = (from: string[], { login, teams }: Standing): boolean =>
  from.some((source) => {
    const name = source.toLowerCase();
    return isTeam(name) ? teams.has(name) : !KINDS.includes(source) && name === login.toLowerCase();
  });

const isReviewer = ({ reviewers }: WaitingPull, { githubId, teams }: Standing, { org }: Where): boolean =>
  reviewers !== null &&
  (reviewers.people.includes(githubId) || reviewers.teams.some((slug) => teams.has(teamName(org, slug))));

/** A team of the organization as rules name it, in lower case. */
export const teamName = ({ name }: Where['org'], slug: string): string => `@${name}/${slug}`.toLowerCase();

/** Whether no more people are left than approvals are missing. */
function isLast(lack: Lack, where: Where & { pools: Pools }): boolean {
  const pool = poolOf(sourcesOf(lack, where), where.pools);
  if (!pool) return false;
  const gone = new Set([...lack.counted, ...lack.excluded]);
  return pool.filter(({ githubId }) => !gone.has(githubId)).length <= lack.lacking;
}

/** Who could give such an approval; null if we can't count them: the members of teams, and collaborators. */
function poolOf(from: string[], { members, owners }: Pools): Candidate[] | null {
  if (from.some((source) => isTeam(source) || source === 'collaborators')) return null;
  if (from.includes('members')) return members;
  const isOnlyOwners = from.every((source) => source === 'owners');
  if (isOnlyOwners) return owners;
  const names = new Set(from.map((source) => source.toLowerCase()));
  const isOwner = (role: Candidate['role']) => role === 'admin' && from.includes('owners');
  return members?.filter(({ login, role }) => names.has(login.toLowerCase()) || isOwner(role)) ?? null;
}
