import type { CheckRequirement } from '../contract/organization-health.ts';
import type { BranchRule, Bypass, BypassActor, BypassMode } from '../contract/protection.ts';
import type { RepositoryProtection } from './ports.ts';
import { STATES } from './states.ts';

const MOST_ACTORS = 20;
const MOST_NAMES = 3;

/** The rules that require the check now, as far as GitHub shows them. */
export const activeRules = ({ rulesets, branchProtection }: Rules): BranchRule[] =>
  [...(rulesets ?? []), ...(branchProtection ?? [])].filter(({ state }) => state === 'active');

/** Tells whether the default branch requires the check; `no` only if GitHub showed all its rules. */
export function requirementOf(protection: Rules): CheckRequirement {
  const rules = activeRules(protection);
  if (rules.some(({ isOurs }) => isOurs)) return 'thisApp';
  if (rules.length > 0) return 'anySource';
  return protection.rulesets && protection.branchProtection ? 'no' : 'unknown';
}

/**
 * Who may go around every rule that requires the check from our App, or push a commit whose check passed for another
 * branch. A rule without that App keeps nobody from writing the check.
 *
 * @returns Null if no rule requires the check from our App: then there is nothing to go around.
 */
export function bypassOf(protection: Rules): Bypass | null {
  const ours = activeRules(protection).filter(({ isOurs }) => isOurs);
  if (ours.length === 0) return null;
  const all = [aroundAll(ours), aroundPulls(protection)];
  const state = (['some', 'unknown'] as const).find((one) => all.some((around) => around.state === one));
  const open = all.filter((around) => around.state === (state ?? 'nobody'));
  const actors = open.flatMap((around) => around.actors);
  const isSame = (one: BypassActor, other: BypassActor) => isSameActor(one, other) && one.mode === other.mode;
  return {
    rules: ours.map(({ source, name, url }) => ({ source, name, url })),
    state: state ?? 'nobody',
    actors: actors
      .filter((one, at) => actors.findIndex((other) => isSame(one, other)) === at)
      .slice(0, MOST_ACTORS),
    change: [...new Set(open.map(({ change }) => change))].join(' '),
    url: open[0]?.url ?? '',
    said: open.find(({ said }) => said)?.said,
    hidden: state === 'unknown' ? hiddenIn([...ours, ...pullRules(protection)]) : undefined,
  };
}

/** The rulesets whose lists we don't know, by GitHub's ids. */
const hiddenIn = (rules: BranchRule[]): number[] => [
  ...new Set(rules.flatMap(({ id, bypass }) => (bypass || id === null ? [] : id))),
];

/** The same with the logins of the organization's owners, whom a rule names as a group; `owners` is null if we don't know them. */
export function withOwners(bypass: Bypass | null, owners: { login: string }[] | null): Bypass | null {
  if (!bypass || !owners) return bypass;
  const people = { total: owners.length, logins: owners.slice(0, MOST_ACTORS).map(({ login }) => login) };
  const actors = bypass.actors.map((actor) => (actor.type === 'owners' ? { ...actor, people } : actor));
  return { ...bypass, actors };
}

type Rules = Pick<RepositoryProtection, 'rulesets' | 'branchProtection'>;

/** Who may go around some rules. */
type Around = Pick<Bypass, 'state' | 'actors' | 'change' | 'url' | 'said'>;

const NOBODY: Around = { state: 'nobody', actors: [], change: '', url: '' };

/**
 * Who may go around each of these rules, one at least, in a mode that counts. Two groups may have members in common, so
 * nobody is in both only if GitHub shows one of the lists as empty.
 */
export function aroundAll(rules: BranchRule[], counts = (_: BypassMode) => true): Around {
  const lists = rules.map(({ bypass }) => bypass?.filter(({ mode }) => counts(mode)) ?? null);
  const closed = rules.filter((_rule, at) => lists[at]?.length === 0);
  // GitHub's own word about one rule is enough.
  if (closed.length > 0)
    return { ...NOBODY, said: closed.every(({ said }) => said) ? closed[0]?.said : undefined };
  const hidden = rules.find(({ bypass }) => bypass === null);
  if (hidden) return { state: 'unknown', actors: [], change: showing(hidden), url: hidden.url };
  const actors = lists.map((list) => list ?? []).reduce(inBoth);
  const easiest = rules.reduce((best, rule) =>
    (rule.bypass?.length ?? 0) < (best.bypass?.length ?? 0) ? rule : best,
  );
  return {
    state: actors.length > 0 ? 'some' : 'unknown',
    actors,
    change: closing(easiest),
    url: easiest.url,
    said: rules.find(({ said }) => said)?.said,
  };
}

const PUSHERS: BypassActor = {
  type: 'pushers',
  id: null,
  name: 'everybody who can push, with a commit whose check passed for another branch',
  mode: 'always',
};

/** The rules that require a pull request now. */
export const pullRules = ({ rulesets, branchProtection }: Rules): BranchRule[] =>
  [...(rulesets ?? []), ...(branchProtection ?? [])].filter(({ needsPull }) => needsPull);

/** The rules that require the check from our App, first the rules that nobody may bypass. */
export const tightestFirst = (protection: Rules): BranchRule[] => {
  const ours = activeRules(protection).filter(({ isOurs }) => isOurs);
  const isTight = ({ bypass }: BranchRule) => bypass?.length === 0;
  return [...ours.filter(isTight), ...ours.filter((rule) => !isTight(rule))];
};

/** Who may push without a pull request into a branch that requires the check. */
export function aroundPulls(protection: Rules): Around {
  const rules = pullRules(protection);
  // Who may bypass a rule by merging a pull request still can't push.
  if (rules.length > 0) return aroundAll(rules, (mode) => mode !== 'pullRequest');
  const [first] = tightestFirst(protection);
  const isShown = protection.rulesets !== null && protection.branchProtection !== null;
  return {
    state: isShown ? 'some' : 'unknown',
    actors: isShown ? [PUSHERS] : [],
    change: first ? requiringPull(first) : '',
    url: first?.url ?? '',
  };
}

const isLooser = (one: BypassMode, other: BypassMode): boolean => STATES[one][0] < STATES[other][0];

/** The names of groups without an id in stored weakenings. They never change, whatever people read. */
const GROUPS: { [Type in BypassActor['type']]?: string } = {
  administrators: 'administrators',
  owners: 'owners',
  deployKeys: 'deploy keys',
};

/** What tells an actor without an id from others of its type. */
export const nameInRecords = ({ type, name }: Pick<BypassActor, 'type' | 'name'>): string =>
  GROUPS[type] ?? name;

export const isSameActor = (one: BypassActor, other: BypassActor): boolean =>
  one.type === other.type &&
  (one.id === null || other.id === null ? nameInRecords(one) === nameInRecords(other) : one.id === other.id);

/** The actors of which GitHub's two lists say that they are in both. Owners are administrators of every repository. */
function inBoth(list: BypassActor[], other: BypassActor[]): BypassActor[] {
  const actors: BypassActor[] = [];
  for (const one of list)
    for (const two of other) {
      if (!isSameActor(one, two) && !isOwnersOf(one, two)) continue;
      const mode = isLooser(one.mode, two.mode) ? two.mode : one.mode;
      const actor = { ...(two.type === 'owners' ? two : one), mode };
      const known = actors.findIndex((each) => isSameActor(each, actor));
      if (known < 0) actors.push(actor);
      else if (isLooser(mode, actors[known]?.mode ?? mode)) actors[known] = actor;
    }
  return actors;
}

const isOwnersOf = (one: BypassActor, other: BypassActor) =>
  [one.type, other.type].toSorted().join() === 'administrators,owners';

/** The change that makes the rule require a pull request, too. */
export const requiringPull = ({ source, name }: BranchRule): string =>
  `Choose “Require a pull request before merging” in ${source === 'branchProtection' ? name : `the ruleset ${name}`}, with 0 approvals if you need none.`;

/** The change that lets nobody go around the rule. */
export function closing({ source, name, bypass }: BranchRule): string {
  if (source === 'branchProtection') return `Turn on “Do not allow bypassing the above settings” in ${name}.`;
  const names = (bypass ?? []).map((actor) => actor.name);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `Remove ${names.slice(0, MOST_NAMES).join(', ')}${more} from the bypass list of the ruleset ${name}.`;
}

const showing = ({ source, name }: BranchRule) =>
  source === 'branchProtection'
    ? 'Let the App read administration, so that it sees who may bypass.'
    : `GitHub shows who may bypass the ruleset ${name} only to people who can edit it, so an owner has to read it.`;
