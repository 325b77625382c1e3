import {
  createFindAgent,
  DEPENDENCY_UPDATES,
  type FindAgent,
  type KnownAgent,
  readNoreply,
} from './agents.ts';
import type { Contributor, KnownPeople, PullCommits, RuledPull } from './details.ts';
import type { Trailer } from './trailers.ts';

/**
 * Tells whether the people who asked for the pull request have to be looked for: a machine opened it, or an account that
 * no longer exists. What a person opened is their own request.
 */
export const isOpenedForOthers = ({ author }: Pick<RuledPull, 'author'>, agents: KnownAgent[]): boolean =>
  author === null || isMachine(author, agents);

/** The people among these accounts. */
export const onlyPeople = (accounts: Contributor[], agents: KnownAgent[]): Contributor[] =>
  accounts.filter((account) => !isMachine(account, agents));

const isMachine = ({ login, isMachine }: Contributor, agents: KnownAgent[]) =>
  isMachine || createFindAgent(agents)({ login }) !== null;

/** All people of these readings, each once. One reading with an unknown person leaves all of them unknown. */
export function unite(readings: KnownPeople[]): KnownPeople {
  const byId = new Map(readings.flatMap(({ people }) => people).map((person) => [person.id, person]));
  return { people: [...byId.values()], areAllKnown: readings.every(({ areAllKnown }) => areAllKnown) };
}

/** The trailers that name people who had a commit made. */
const TOKENS = ['co-authored-by', 'assisted-by', 'signed-off-by', 'requested-by'];

/** A pull request whose trailers name more people is nobody's request. Each is stored. */
const MOST_PEOPLE = 20;

/**
 * The people in the trailers of a pull request's commits, by the ids in GitHub's own addresses. Any other address, or none,
 * is an unknown person's, unless it's a machine's.
 */
export function inTrailers(
  commits: PullCommits | null,
  { agents, githubUrl }: { agents: KnownAgent[]; githubUrl: string },
): KnownPeople {
  const findMachine = createFindAgent([...agents, ...DEPENDENCY_UPDATES]);
  const hands = commits?.commits ?? [];
  const named = hands.flatMap(({ trailers }) => trailers).filter(({ token }) => TOKENS.includes(token));
  const found = named.map((trailer) => readPerson(trailer, { findMachine, githubUrl }));
  const isComplete = commits?.isComplete === true && hands.every((commit) => commit.isComplete);
  const { people } = unite([{ people: found.filter((one) => typeof one === 'object'), areAllKnown: true }]);
  const areAllKnown = isComplete && !found.includes('unknown') && people.length <= MOST_PEOPLE;
  return { people: people.slice(0, MOST_PEOPLE), areAllKnown };
}

function readPerson(
  { name, email }: Trailer,
  { findMachine, githubUrl }: { findMachine: FindAgent; githubUrl: string },
): Contributor | 'machine' | 'unknown' {
  const { id, login } = (email && readNoreply(email, githubUrl)) || {};
  const machine = findMachine({ name, email }) ?? (login === undefined ? null : findMachine({ login }));
  if (machine || login?.endsWith('[bot]')) return 'machine';
  return id && login ? { id, login, isMachine: false } : 'unknown';
}

/** A login, and of a bot with what GitHub appends to it. The logins of managed users have underscores. */
const LOGIN = '[a-z\\d](?:[a-z\\d_-]{0,98}[a-z\\d])?(?:\\[bot\\])?';

/** The forms in which Copilot, Codex and Devin name the person who asked: docs/assumptions.md. */
const ASKED_BY = new RegExp(
  `(?:${[
    'original prompt [-\u2013\u2014] submitted by',
    '\\b(?:codex|copilot) on behalf of',
    '^[ >*_]{0,20}requested by[ *_]{0,5}:',
  ].join('|')})[ *_[]{0,20}(?:@(${LOGIN}))?`,
  'gim',
);

/** A text that names more is nobody's form, and each would cost a request. */
const MOST_NAMED = 3;

/** The logins that a pull request's text names as those who asked for it. Not all, if it names a person without a login. */
export function askedBy(body: string): { logins: string[]; areAllNamed: boolean } {
  const named = [...body.matchAll(ASKED_BY)].map(([, login]) => login?.toLowerCase());
  const logins = [...new Set(named.filter((login) => login !== undefined))];
  const areAllNamed = !named.includes(undefined) && logins.length <= MOST_NAMED;
  return { logins: logins.slice(0, MOST_NAMED), areAllNamed };
}
