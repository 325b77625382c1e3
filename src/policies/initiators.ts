import type { Contributor, KnownPeople, RuledPull } from './details.ts';

/**
 * Tells whether the people who asked for the pull request have to be looked for: a machine opened it, or an account that
 * no longer exists. What a person opened is their own request.
 */
export const isOpenedForOthers = ({ author }: Pick<RuledPull, 'author'>): boolean =>
  author === null || author.isMachine;

/** The people among these accounts. */
export const onlyPeople = (accounts: Contributor[]): Contributor[] =>
  accounts.filter(({ isMachine }) => !isMachine);

/** All people of these readings, each once. One reading with an unknown person leaves all of them unknown. */
export function unite(readings: KnownPeople[]): KnownPeople {
  const byId = new Map(readings.flatMap(({ people }) => people).map((person) => [person.id, person]));
  return { people: [...byId.values()], areAllKnown: readings.every(({ areAllKnown }) => areAllKnown) };
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
