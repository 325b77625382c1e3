import type { CheckRequirement } from '../../contract/organization-health.ts';
import type { BranchRule, Bypass, BypassActor, BypassMode } from '../../contract/protection.ts';
import type { RepositoryProtection } from './ports.ts';

const MOST_ACTORS = 20;
const MOST_NAMES = 3;

/** The rules that require the check now, as far as GitHub shows them. */
export const activeRules = ({
  rulesets,
  branchProtection,
}: Pick<RepositoryProtection, 'rulesets' | 'branchProtection'>): BranchRule[] =>
  [...(rulesets ?? []), ...(branchProtection ?? [])].filter(({ state }) => state === 'active');

/** Whether the default branch requires the check; `no` only if GitHub showed all its rules. */
export function requirementOf(
  protection: Pick<RepositoryProtection, 'rulesets' | 'branchProtection'>,
): CheckRequirement {
  const rules = activeRules(protection);
  if (rules.some(({ isOurs }) => isOurs)) return 'thisApp';
  if (rules.length > 0) return 'anySource';
  return protection.rulesets && protection.branchProtection ? 'no' : 'unknown';
}

/**
 * Who may go around every rule that requires the check from our App: a rule without that App keeps nobody from writing
 * the check. Two groups may have members in common, so nobody is in both only if GitHub shows one of the lists as empty.
 *
 * @returns Null if no rule requires the check from our App: then there is nothing to go around.
 */
export function bypassOf(rules: BranchRule[]): Bypass | null {
  const ours = rules.filter(({ state, isOurs }) => state === 'active' && isOurs);
  const [first] = ours;
  if (!first) return null;
  const found = { rules: ours.map(({ source, name, url }) => ({ source, name, url })) };
  if (ours.some(({ bypass }) => bypass?.length === 0))
    return { ...found, state: 'nobody', actors: [], change: '', url: '' };
  const hidden = ours.find(({ bypass }) => bypass === null);
  if (hidden) return { ...found, state: 'unknown', actors: [], change: showing(hidden), url: hidden.url };
  const lists = ours.map(({ bypass }) => bypass ?? []);
  const actors = lists.reduce(inBoth);
  const easiest = ours.reduce((best, rule) =>
    (rule.bypass?.length ?? 0) < (best.bypass?.length ?? 0) ? rule : best,
  );
  return {
    ...found,
    state: actors.length > 0 ? 'some' : 'unknown',
    actors: actors.slice(0, MOST_ACTORS),
    change: closing(easiest),
    url: easiest.url,
  };
}

const LOOSENESS: Record<BypassMode, number> = { pullRequest: 0, always: 1, exempt: 2 };

export const isLooser = (one: BypassMode, other: BypassMode): boolean => LOOSENESS[one] > LOOSENESS[other];

export const isSameActor = (one: BypassActor, other: BypassActor): boolean =>
  one.type === other.type &&
  (one.id === null || other.id === null ? one.name === other.name : one.id === other.id);

/** The actors of which GitHub's two lists say that they are in both. Owners are administrators of every repository. */
function inBoth(list: BypassActor[], other: BypassActor[]): BypassActor[] {
  const found: BypassActor[] = [];
  for (const one of list)
    for (const two of other) {
      if (!isSameActor(one, two) && !isOwnersOf(one, two)) continue;
      const mode = isLooser(one.mode, two.mode) ? two.mode : one.mode;
      const actor = { ...(two.type === 'owners' ? two : one), mode };
      const known = found.findIndex((each) => isSameActor(each, actor));
      if (known < 0) found.push(actor);
      else if (isLooser(mode, found[known]?.mode ?? mode)) found[known] = actor;
    }
  return found;
}

const isOwnersOf = (one: BypassActor, other: BypassActor) =>
  [one.type, other.type].toSorted().join() === 'administrators,owners';

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
    : `GitHub shows who may bypass the ruleset ${name} only to people who can edit it: run otp-guard ways-around --send as an owner.`;
