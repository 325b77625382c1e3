import { isTeam } from '../contract/accounts.ts';
import type { Rule } from '../contract/policy.ts';
import type { Grounds } from './counts.ts';
import { type Contributor, knownPushers, type PullDetails, type RuledPull } from './details.ts';
import { isAbout } from './details-to-read.ts';
import { anyOf, both, type Certainty, either, isTrue } from './globs.ts';

type ApplyingRules = {
  /** The rules that apply or may apply, enforced or reported only. */
  rules: { rule: Rule; isCertain: boolean }[];
  /**
   * True if one approval of a member is asked for. It is, unless an
   * enforced rule is known to apply. A rule that only may apply can ask for more,
   * but never for less, and neither can a rule about what agents did: it's enough if only members can meet it.
   */
  needsMember: boolean;
};

export function applyingRules(pull: RuledPull, { policy, details }: Grounds): ApplyingRules {
  const rules = policy.rules
    .map((rule) => ({ rule, certainty: applies(rule, pull, details) }))
    .filter(({ certainty }) => certainty !== 'no')
    .map(({ rule, certainty }) => ({ rule, isCertain: certainty === 'yes' }));
  const isEnough = rules.some(
    ({ rule, isCertain }) => rule.enforced && isCertain && (!rule.when.agents || isMetByMembers(rule)),
  );
  return { rules, needsMember: !isEnough };
}

const isMetByMembers = ({ require }: Rule): boolean =>
  require.from.every((source) => source === 'members' || source === 'owners');

/**
 * Tells whether a rule applies to a pull request. A rule that asks for approvals
 * applies if a part of the pull request matches, and maybe if that isn't known.
 * A rule that asks for no approval applies only if all of it is known to match. A rule about deployments asks nothing else
 * about them.
 */
export function applies(rule: Rule, pull: RuledPull, details: PullDetails): Certainty {
  const about = isAbout(rule, pull);
  const asksNothing = rule.require.approvals === 0;
  if (about === 'no' || pull.deployment) return asksNothing ? isTrue(about === 'yes') : about;
  const { authors, paths, agents } = rule.when;
  const files = paths ? (details.files.get(rule.name) ?? 'maybe') : 'yes';
  if (asksNothing)
    return isTrue(about === 'yes' && everyAuthorMatches(authors, pull, details) && files === 'yes');
  const byAgents = agents ? (details.agents?.hasHand ?? 'maybe') : 'yes';
  return both(both(about, byAgents), both(someAuthorMatches(authors, pull, details), files));
}

type Authors = Rule['when']['authors'];

/**
 * Tells whether one of those who opened the pull request or wrote its commits matches.
 * A person we don't know may match.
 */
function someAuthorMatches(authors: Authors, pull: RuledPull, details: PullDetails): Certainty {
  if (authors === 'anyone') return 'yes';
  const { commits } = details;
  const isKnown = pull.author !== null && commits?.isComplete === true && commits.areAllKnown;
  const known = anyOf(contributors(pull, details), (contributor) => matches(authors, contributor, details));
  return either(known, isKnown ? 'no' : 'maybe');
}

/**
 * Tells whether all those who opened the pull request, pushed its head and wrote its
 * commits match, all of them are known, and GitHub verified each signature:
 * what it takes to pass without an approval.
 */
function everyAuthorMatches(authors: Authors, pull: RuledPull, details: PullDetails): boolean {
  const { commits } = details;
  const pushers = knownPushers(details);
  const isKnown =
    pull.author !== null &&
    pushers.areAllKnown &&
    commits !== null &&
    commits.people.length > 0 &&
    commits.isComplete &&
    commits.areAllKnown &&
    commits.areAllVerified;
  const all = [...contributors(pull, details), ...pushers.people];
  return isKnown && all.every((contributor) => matches(authors, contributor, details) === 'yes');
}

const contributors = ({ author }: RuledPull, { commits }: PullDetails): Contributor[] => [
  ...(author ? [author] : []),
  ...(commits?.people ?? []),
];

function matches(authors: Authors, contributor: Contributor, details: PullDetails): Certainty {
  if (authors === 'anyone') return 'yes';
  if (authors === 'machines') return isTrue(contributor.isMachine);
  if (authors === 'people') return isTrue(!contributor.isMachine);
  return anyOf(authors, (name) =>
    isTeam(name) ? inTeam(name, contributor, details) : hasLogin(name, contributor),
  );
}

const hasLogin = (login: string, contributor: Contributor) =>
  isTrue(contributor.login.toLowerCase() === login.toLowerCase());

function inTeam(
  team: string,
  { id, isMachine }: Contributor,
  { people, unreadTeams }: PullDetails,
): Certainty {
  // A team consists of people.
  if (isMachine) return 'no';
  const person = people.find(({ githubId }) => githubId === id);
  if (person?.teams.includes(team)) return 'yes';
  return person === undefined || unreadTeams.includes(team) ? 'maybe' : 'no';
}
