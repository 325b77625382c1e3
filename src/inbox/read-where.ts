import type { Teams } from '../approvals/ports.ts';
import { isTeam, type Permission } from '../contract/accounts.ts';
import type { Policy } from '../contract/policy.ts';
import type { Organization, Role } from '../organizations/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { createReadOnce } from '../shared/expiring-map.ts';
import {
  type Candidates,
  headKey,
  type OwnApprovals,
  type PullHead,
  type WaitingPull,
  type WaitingPulls,
} from './ports.ts';
import { type Pools, type Standing, teamName } from './waits-for.ts';

/** The most pull requests of an organization that are read, longest waiting first: one read takes two seconds. */
export const MOST_WAITING = 10_000;
/** A list of fewer is read each time, so that people see each change immediately: that takes six milliseconds. */
const FEW_WAITING = 100;
const LONG_LIST_MS = 10_000;
/** The most people who are counted: in a larger organization nobody is the last one who could approve. */
const MOST_CANDIDATES = 50;
/** The most teams that GitHub is asked about for one person: who can write can request reviews of any number. */
const MOST_TEAMS = 50;
const POOLS_MS = 60_000;
/** Read at most this many of a person's own approvals. Earlier ones say nothing about a pull request any more. */
const MOST_APPROVALS = 500;
/** By then, each process has read again what an approval changed. */
const SETTLED_MS = 60_000;

/** The pull requests that wait longest in an organization, in this order, at most `most` of them. */
export type WaitingLists = { of(orgRecordId: string, most: number): Promise<WaitingPull[]> };

/** Reads a long list at most once in ten seconds, for all people who ask. */
export function createWaitingLists(deps: {
  waitingPulls: Pick<WaitingPulls, 'list'>;
  clock: Clock;
}): WaitingLists {
  const once = createReadOnce<WaitingPull[]>(deps.clock, LONG_LIST_MS);
  const { waitingPulls } = deps;
  return {
    async of(org, most) {
      const first = await waitingPulls.list(org, FEW_WAITING);
      if (first.length < FEW_WAITING) return first;
      return once(`${org}:${most}`, () => waitingPulls.list(org, most));
    },
  };
}

export type ReadPools = (org: Organization) => Promise<Pools>;

/** Reads the people of small organizations, at most once a minute. */
export function createReadPools(deps: { candidates: Candidates; clock: Clock }): ReadPools {
  const once = createReadOnce<Pools>(deps.clock, POOLS_MS);
  const read = async ({ id, accountType, membersAt }: Organization): Promise<Pools> => {
    // GitHub has no list of a personal account's members.
    if (accountType === 'User' || !membersAt) return { members: null, owners: null };
    const all = async (roles: Role[]) => {
      const found = await deps.candidates.some(id, roles, MOST_CANDIDATES + 1);
      return found.length > MOST_CANDIDATES ? null : found;
    };
    const [members, owners] = await Promise.all([all(['admin', 'member']), all(['admin'])]);
    return { members, owners };
  };
  return (org) => once(org.id, () => read(org));
}

/** The person with those of their teams that rules name or that were requested to review, and their own approvals. */
export async function readStanding(
  deps: { teamsOf: TeamAnswers; ownApprovals: OwnApprovals; clock: Clock },
  input: {
    person: { githubId: number; login: string };
    role: Role | null;
    org: Organization;
    policy: Policy;
    pulls: WaitingPull[];
    permissionIn(repoId: number): Permission | undefined;
  },
): Promise<Standing> {
  const { person, role, org, pulls, permissionIn } = input;
  const { githubId, login } = person;
  // Teams consist of members.
  const asked = role === null ? [] : teamsIn(input).slice(0, MOST_TEAMS);
  const [teams, approvals] = await Promise.all([
    deps.teamsOf(org, asked, person),
    pulls.length > 0 ? deps.ownApprovals.newest(org.orgId, githubId, MOST_APPROVALS) : [],
  ]);
  const settled = new Date(deps.clock.now().getTime() - SETTLED_MS);
  const isNew = ({ reported }: { reported: Date | null }) => !reported || reported > settled;
  const known = new Set(approvals.map(pullKey));
  const heads = new Set(approvals.map(headKey));
  const newHeads = new Set(approvals.filter(isNew).map(headKey));
  return {
    githubId,
    login,
    role,
    teams,
    permissionIn,
    hasApprovedEarlier: (pull) => known.has(pullKey(pull)) && !heads.has(headKey(pull)),
    hasJustApproved: (pull) => newHeads.has(headKey(pull)),
  };
}

const pullKey = ({ repoId, pr }: PullHead): string => `${repoId}:${pr}`;

/** The teams of the rules come first. */
function teamsIn({ org, policy, pulls }: { org: Organization; policy: Policy; pulls: WaitingPull[] }) {
  const ofRules = policy.rules
    .filter(({ enforced }) => enforced)
    .flatMap(({ require }) => require.from.filter(isTeam).map((team) => team.toLowerCase()));
  const ofReviews = pulls.flatMap(({ reviewers }) => reviewers?.teams ?? []);
  return [...new Set([...ofRules, ...ofReviews.map((slug) => teamName(org, slug))])];
}

const REMEMBERED_MS = 5 * 60_000;

type Person = { githubId: number; login: string };

/** Says to which of these teams (`@org/team`) a person belongs, as of the last five minutes. */
export type TeamAnswers = (org: Organization, teams: string[], person: Person) => Promise<Set<string>>;

/** Remembers GitHub's answers, since a list asks again and again. If GitHub doesn't answer, nobody belongs to the team. */
export function createTeamAnswers(deps: { teams: Teams; clock: Clock }): TeamAnswers {
  const once = createReadOnce<boolean | null>(deps.clock, REMEMBERED_MS);
  return async ({ installationId: installation, name: owner }, teams, person) => {
    const has = (team: string) =>
      once(`${installation}:${person.githubId}:${team}`, () =>
        deps.teams.has({ installation, owner }, team, person),
      ).catch(() => null);
    const answers = await Promise.all(teams.map(has));
    return new Set(teams.filter((_, at) => answers[at] === true));
  };
}
