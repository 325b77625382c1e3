import type { Rule } from '../contract/policy.ts';
import type { Contributor, PullFacts, RuledPull } from './facts.ts';

/** The author of a pull request, the authors and committers of its commits, or who pushed its head. */
export type NotBy = Rule['require']['notBy'][number];

type Excluded = { people: Contributor[]; areAllKnown: boolean };

function excludedAs(who: NotBy, { author }: RuledPull, { commits, pushers }: PullFacts): Excluded {
  if (who === 'author') return { people: author ? [author] : [], areAllKnown: author !== null };
  if (who === 'pusher') return { people: pushers, areAllKnown: pushers.length > 0 };
  const areAllKnown = commits?.isComplete === true && commits.areAllKnown;
  return { people: commits?.people ?? [], areAllKnown };
}

/** As what a rule excludes this person; null if it doesn't, as far as OTP Guard knows. */
export const exclusionOf = (
  { require: { notBy } }: Rule,
  githubId: number,
  { pull, facts }: { pull: RuledPull; facts: PullFacts },
): NotBy | null =>
  notBy.find((who) => excludedAs(who, pull, facts).people.some(({ id }) => id === githubId)) ?? null;

/** The GitHub ids of the people that a rule excludes, as far as OTP Guard knows them. */
export const excludedPeople = (
  { require: { notBy } }: Rule,
  { pull, facts }: { pull: RuledPull; facts: PullFacts },
): number[] => [...new Set(notBy.flatMap((who) => excludedAs(who, pull, facts).people.map(({ id }) => id)))];

/** Those whom a rule excludes and whom OTP Guard doesn't all know: the rule asks for one more approval then. */
export const unknownToExclude = ({ require: { notBy } }: Rule, pull: RuledPull, facts: PullFacts): NotBy[] =>
  [...new Set(notBy)].filter((who) => !excludedAs(who, pull, facts).areAllKnown);
