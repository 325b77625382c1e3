import type { Members, OrganizationRef, RepositoryRef, Role } from '../../organizations/ports.ts';
import type { PersonFacts } from '../../policies/facts.ts';
import type { NeededFacts } from '../../policies/needed-facts.ts';
import type { RepositoryAccess, Teams } from '../ports.ts';

export type PersonDeps = {
  members: Pick<Members, 'role' | 'loginOf'>;
  access: Pick<RepositoryAccess, 'permission' | 'isCollaborator'>;
  teams: Teams;
};

/** `login` may be a former one. */
export type SomePerson = { githubId: number; login: string };

/** What to ask about a person. */
export type Questions = Pick<NeededFacts, 'roles' | 'permission' | 'collaborators' | 'teams'>;

export type ReadPerson = { facts: PersonFacts; unreadTeams: string[] };

/** Reads from GitHub what it says about a person now. @throws AppError `githubUnavailable`. */
export async function readPerson(
  deps: PersonDeps,
  input: { org: OrganizationRef; repo: RepositoryRef; person: SomePerson; questions: Questions },
): Promise<ReadPerson> {
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
    facts: { ...person, role, permission, isCollaborator, teams: teams.own },
    unreadTeams: teams.unread,
  };
}

/** GitHub knows a person by their present login, so somebody who isn't a member may have another one by now. */
async function readRole(
  { members }: PersonDeps,
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
  { teams }: PersonDeps,
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
