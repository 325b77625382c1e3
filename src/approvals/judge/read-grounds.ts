import pMap from 'p-map';
import type { Policy } from '../../contract/policy.ts';
import type { OrganizationRef, RepositoryRef, Role } from '../../organizations/ports.ts';
import { agentWork } from '../../policies/agent-work.ts';
import { agentsOf } from '../../policies/agents.ts';
import { NO_DETAILS, type PersonDetails, type PullDetails, type RuledPull } from '../../policies/details.ts';
import { type DetailsToRead, detailsToRead, matchFiles } from '../../policies/details-to-read.ts';
import { isOpenedForOthers } from '../../policies/initiators.ts';
import type { HeadDeps } from '../deps.ts';
import type { Approval, PullRequest } from '../ports.ts';
import { approvalsOf, DEFAULT_GROUNDS, type Grounds, type JudgedPull, judgePull } from './judge.ts';
import { readInitiators } from './read-initiators.ts';

/**
 * Reads what pull requests of one repository are judged by: the organization's
 * policy in force, and what its rules ask about each of them. The default policy
 * asks GitHub nothing.
 *
 * @param input.person Someone whose approval we want to know about before they give it.
 * @param input.policy Instead of the one in force.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function readGrounds(
  deps: HeadDeps,
  input: {
    repo: RepositoryRef;
    pulls: PullRequest[];
    approvals: Approval[];
    person?: SomePerson | undefined;
    policy?: Policy | undefined;
  },
): Promise<Grounds> {
  const { repo, pulls, person } = input;
  const [first] = pulls;
  if (!first) return DEFAULT_GROUNDS;
  const { ownerId } = first.repo;
  const policy = input.policy ?? (await deps.policies.inForce(ownerId)).policy;
  const hasRoots = deps.relyingParty.hasAttestationRoots;
  const details = new Map<number, PullDetails>();
  if (policy.rules.length === 0) return { policy, details, hasRoots };
  const stored = await deps.organizations.byOrgId(ownerId);
  const org = stored && { ...stored, installationId: repo.installation };
  for (const pull of pulls) {
    const approvers = [...(person ? [person] : []), ...approvalsOf(pull, input.approvals)];
    const pullDetails = await readDetails(deps, policy, { org, repo, pull, approvers });
    if (pullDetails) details.set(pull.number, pullDetails);
  }
  return { policy, details, hasRoots };
}

/**
 * Judges one pull request as its check would be judged now.
 *
 * @param input.policy Instead of the one in force.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function judgeNow(
  deps: HeadDeps,
  input: { repo: RepositoryRef; pull: PullRequest; policy?: Policy },
): Promise<JudgedPull> {
  const { pull, ...other } = input;
  const { valid: approvals, denials } = await deps.approvals.ofHead(pull.repo.id, pull.head);
  const grounds = await readGrounds(deps, { ...other, pulls: [pull], approvals });
  return judgePull(pull, { approvals, denials }, grounds);
}

/** Ask about the teams of at most this many authors. The rules take it as unknown whether others belong to them. */
const MOST_AUTHORS = 20;
const CONCURRENCY = 4;

type Input = {
  /** Null if the App isn't installed for an account that we know: then nobody counts. */
  org: OrganizationRef | null;
  repo: RepositoryRef;
  pull: PullRequest & Pick<RuledPull, 'deployment'>;
  /** The people who approved it, or may be about to. */
  approvers: SomePerson[];
};

/**
 * Reads what the policy's rules ask about a pull request, and nothing else; null
 * if they ask nothing, as in the default policy.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`: no answer isn't an unknown detail.
 */
export async function readDetails(deps: HeadDeps, policy: Policy, input: Input): Promise<PullDetails | null> {
  const { repo, pull } = input;
  const needed = detailsToRead(policy, pull);
  if (!asksAnything(needed)) return null;
  const agents = agentsOf(policy);
  const readsCommits =
    needed.commits || needed.agents || (needed.initiators && isOpenedForOthers(pull, agents));
  const reading = readsCommits ? deps.pullChanges.commits(repo, pull) : Promise.resolve(null);
  const [files, commits, pushers, initiators, approvers] = await Promise.all([
    needed.files
      ? deps.pullChanges.files(repo, pull).then((changed) => matchFiles(policy, pull, changed))
      : NO_DETAILS.files,
    reading,
    needed.pushers ? deps.pushers.of(pull.repo.id, pull.number, pull.head) : [],
    needed.initiators
      ? readInitiators(deps, { repo, pull, commits: reading, policy })
      : NO_DETAILS.initiators,
    needed.agents ? deps.pullChanges.approvers(repo, pull) : null,
  ]);
  const work =
    commits && approvers
      ? agentWork({ author: pull.author, commits, approvers }, { agents, githubUrl: deps.origins.githubUrl })
      : null;
  const authors = [...(pull.author ? [pull.author] : []), ...(commits?.people ?? [])]
    // A machine belongs to no team.
    .filter(({ isMachine }) => !isMachine)
    .map(({ id, login }) => ({ githubId: id, login }));
  const people = await readPeople(deps, needed, { ...input, authors });
  return { files, commits, pushers, initiators, agents: work, ...people };
}

const asksAnything = (needed: DetailsToRead) =>
  Object.values(needed).some((need) => need === true || (Array.isArray(need) && need.length > 0));

/** Approvers are asked about everything, authors only about the teams that authors may belong to. */
export async function readPeople(
  deps: HeadDeps,
  needed: DetailsToRead,
  { org, repo, approvers, authors }: Omit<Input, 'pull'> & { authors: SomePerson[] },
): Promise<Pick<PullDetails, 'people' | 'unreadTeams'>> {
  if (!org) return { people: [], unreadTeams: needed.authorTeams };
  const asked = new Map<number, { person: SomePerson; questions: Questions }>();
  const add = (people: SomePerson[], questions: Questions) => {
    for (const person of people)
      if (!asked.has(person.githubId)) asked.set(person.githubId, { person, questions });
  };
  if (needed.roles)
    add(approvers, { ...needed, teams: [...new Set([...needed.teams, ...needed.authorTeams])] });
  if (needed.authorTeams.length > 0)
    add(authors.slice(0, MOST_AUTHORS), { ...NOTHING, teams: needed.authorTeams });
  const answers = await pMap(asked.values(), (one) => readPerson(deps, { org, repo, ...one }), {
    concurrency: CONCURRENCY,
  });
  return {
    people: answers.map(({ details }) => details),
    unreadTeams: [...new Set(answers.flatMap(({ unreadTeams }) => unreadTeams))],
  };
}

const NOTHING = { roles: false, permission: false, collaborators: false };

/** `login` may be a former one. */
export type SomePerson = { githubId: number; login: string };

/** The questions about a person. */
type Questions = Pick<DetailsToRead, 'roles' | 'permission' | 'collaborators' | 'teams'>;

/** Reads from GitHub what it says about a person now. @throws AppError `githubUnavailable`. */
export async function readPerson(
  deps: HeadDeps,
  input: { org: OrganizationRef; repo: RepositoryRef; person: SomePerson; questions: Questions },
): Promise<{ details: PersonDetails; unreadTeams: string[] }> {
  const { org, repo, questions } = input;
  const { role, person } = questions.roles
    ? await readRole(deps, org, input.person)
    : { role: null, person: input.person };
  const [permission, isCollaborator, teams] = await Promise.all([
    questions.permission ? deps.access.permission(repo, person) : ('none' as const),
    questions.collaborators && role === null ? deps.access.isCollaborator(repo, person) : false,
    readTeams(deps, input, person),
  ]);
  return {
    details: { ...person, role, permission, isCollaborator, teams: teams.own },
    unreadTeams: teams.unread,
  };
}

/** GitHub knows a person by their present login, so a person who isn't a member may have another one by now. */
async function readRole(
  { members }: HeadDeps,
  org: OrganizationRef,
  person: SomePerson,
): Promise<{ role: Role | null; person: SomePerson }> {
  const role = await members.role(org, person);
  const login = role ? person.login : await members.loginOf(org, person.githubId);
  if (!login || login === person.login) return { role, person };
  const renamed = { ...person, login };
  return { role: await members.role(org, renamed), person: renamed };
}

async function readTeams(
  { teams }: HeadDeps,
  { repo, questions }: { repo: RepositoryRef; questions: Questions },
  person: SomePerson,
): Promise<{ own: string[]; unread: string[] }> {
  const answers = await Promise.all(
    questions.teams.map(async (team) => ({ team, isIn: await teams.has(repo, team, person) })),
  );
  const those = (value: boolean | null) =>
    answers.filter(({ isIn }) => isIn === value).map(({ team }) => team);
  return { own: those(true), unread: those(null) };
}
