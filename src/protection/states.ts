import type { BypassMode, RuleState } from '../contract/protection.ts';
import type { MomentKind } from './ports.ts';

/** Where a state stands among those of its kind, from the loosest, and its name in log entries. */
export type State = readonly [rank: number, name: string];

/**
 * The states that a change goes from and to. Signed log entries have the names, and stored weakenings are told apart by
 * them, so a name never changes: `contract/protection-words.ts` has the words that people read instead.
 */
export const STATES = {
  active: [1, 'requires the check'],
  notEnforced: [0, "isn't enforced"],
  elsewhere: [0, "doesn't cover the default branch"],
  withoutCheck: [0, "doesn't require the check"],
  removed: [0, 'is deleted'],
  noRule: [0, 'no such rule'],
  ourSource: [1, 'from this App'],
  anySource: [0, 'from any source'],
  pullNeeded: [1, 'requires a pull request'],
  pullNotNeeded: [0, "doesn't require a pull request"],
  exempt: [0, 'is exempt, without an audit entry'],
  always: [1, 'may always bypass'],
  pullRequest: [2, 'may bypass in pull requests'],
  noBypass: [3, "can't bypass"],
  key: [0, 'can write'],
  noKey: [1, 'no such key'],
  gated: [1, "has OTP Guard's rule"],
  notGated: [0, "doesn't have OTP Guard's rule"],
  owner: [0, 'owner'],
  noOwner: [1, 'no owner'],
  appRemoved: [0, 'removed'],
  appInstalled: [1, 'installed'],
  appSuspended: [0, 'suspended'],
  appActive: [1, 'active'],
} as const satisfies Record<RuleState | BypassMode, State> & Record<string, State>;

/** The states of rules that a webhook tells of and that no reading saw. */
export const MOMENTS: Record<MomentKind, State> = {
  checkNotRequired: [0, "didn't require the check for a moment"],
  pullRequestNotRequired: [0, "didn't require a pull request for a moment"],
  ruleNotActive: [0, "wasn't enforced for a moment"],
  protectionRemoved: [0, 'was deleted for a moment'],
  administratorsFree: [0, 'could bypass for a moment'],
};

/** GitHub's names for how much an App may do, and for the repositories that it has access to. */
const [LEVELS, SELECTIONS] = [
  ['none', 'read', 'write', 'admin'],
  ['none', 'selected', 'all'],
];
export const levelState = (level = 'none'): State => [LEVELS.indexOf(level), level];
export const selectionState = (selection: string): State => [SELECTIONS.indexOf(selection), selection];
