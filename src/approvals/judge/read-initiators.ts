import type { Policy } from '../../contract/policy.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import { agentsOf } from '../../policies/agents.ts';
import type { Contributor, KnownPeople, PullCommits } from '../../policies/details.ts';
import { detailsToRead } from '../../policies/details-to-read.ts';
import { inTrailers, isOpenedForOthers, onlyPeople, unite } from '../../policies/initiators.ts';
import type { HeadDeps } from '../deps.ts';
import type { Initiators, PullRequest } from '../ports.ts';

/** Each push can name others. A pull request with more initiators than this keeps an unknown one. */
const MOST_STORED = 100;

/**
 * Reads who asked for a pull request. For a machine's, these are the people whom GitHub shows now, and everybody who was
 * ever seen before: anybody with the triage role can unassign a person. Stores each new one.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function readInitiators(
  deps: Pick<HeadDeps, 'pullChanges' | 'initiators' | 'origins'>,
  input: { repo: RepositoryRef; pull: PullRequest; commits: Promise<PullCommits | null>; policy: Policy },
): Promise<KnownPeople> {
  const { repo, pull } = input;
  const { author } = pull;
  const agents = agentsOf(input.policy);
  if (author && !isOpenedForOthers(pull, agents)) return { people: [author], areAllKnown: true };
  const [shown, commits, stored] = await Promise.all([
    deps.pullChanges.requesters(repo, pull),
    input.commits,
    deps.initiators.of(pull.repo.id, pull.number),
  ]);
  const now = unite([shown, inTrailers(commits, { agents, githubUrl: deps.origins.githubUrl })]);
  const people = onlyPeople(now.people, agents);
  const unseen = people.filter(({ id }) => !stored.some((known) => known?.id === id));
  const hasRoom = unseen.length === 0 || stored.length < MOST_STORED;
  if (hasRoom) await addInitiators(deps, pull, unseen);
  const areAllKnown = author !== null && hasRoom && !stored.includes(null);
  return unite([
    { people: stored.filter((person) => person !== null), areAllKnown },
    { ...now, people },
  ]);
}

/**
 * Stores the people whom a webhook shows as assigned to a pull request, or as no longer assigned, if a machine opened it.
 *
 * @returns Whether a rule in force for the pull request asks who they are, so that its head has to be judged again.
 */
export async function noteAssignees(
  deps: { initiators: Initiators; policies: HeadDeps['policies'] },
  { pull, assignees }: { pull: PullRequest; assignees: Contributor[] },
): Promise<boolean> {
  if (assignees.length === 0) return false;
  const { policy } = await deps.policies.inForce(pull.repo.ownerId);
  const agents = agentsOf(policy);
  const people = onlyPeople(assignees, agents);
  if (people.length === 0 || !isOpenedForOthers(pull, agents)) return false;
  await addInitiators(deps, pull, people);
  return pull.open && detailsToRead(policy, pull).initiators;
}

async function addInitiators(
  { initiators }: { initiators: Initiators },
  { repo, number: pr }: PullRequest,
  people: Contributor[],
): Promise<void> {
  for (const person of people) await initiators.add({ repoId: repo.id, pr, person });
}
