import type { OrganizationAnswer, ProtectionPart } from '../../../../../src/contract/organization.ts';
import type {
  OrganizationHealth,
  RepositoryCounts,
} from '../../../../../src/contract/organization-health.ts';
import { type Around, LET_SEE, whoInShort } from '../bypass-texts.ts';
import { NO_REPOSITORIES, problemCount, repositoryCount } from '../setup/summaries.ts';
import type { Status } from '../status-row.tsx';

/** The target of a verdict's link: GitHub's page of the installation, the list of repositories, or the setup below. */
type VerdictTarget =
  | 'installation'
  | 'notEnforced'
  | 'anySource'
  | 'unknown'
  | 'bypass'
  | 'bypassUnknown'
  | 'setup';

export type Verdict = {
  status: Status;
  /** A few words that say all. */
  title: string;
  /** The meaning, and what to do. */
  text: string;
  /** Whether the command follows that an owner runs to let OTP Guard see. */
  hasCommand?: boolean;
  link: { to: VerdictTarget; text: string } | null;
};

type Known = {
  installation: OrganizationAnswer['installation'];
  /** Null if they couldn't be read. */
  health: OrganizationHealth | null;
  counts: RepositoryCounts | null;
  /** The actors that may merge without the check; null if they weren't read. */
  around: Around[] | null;
  protection: ProtectionPart[];
  /** How many weakenings nobody has acknowledged yet. */
  weakened: number;
};

/**
 * Whether an organization is protected. It's good only if every repository was checked, nobody may go around the check
 * in any of them as far as we can see, nothing needs fixing, and an owner chose what is left open.
 */
export function verdictOf(known: Known, now: number): Verdict {
  const { installation, health, counts, around, protection, weakened } = known;
  if (installation.suspended) return SUSPENDED;
  if (!health || !counts) return UNREADABLE;
  if (health.permissions.missing.length > 0) return NO_PERMISSION;
  if (counts.total === 0) return NOTHING_SHARED;
  const missing = ofRepositories(counts);
  if (missing) return missing;
  const { total } = counts;
  const which = installation.repositorySelection === 'selected' ? 'selected ' : '';
  const required =
    total === 1
      ? `The only ${which}repository requires the check on its default branch.`
      : `All ${total} ${which}repositories require the check on their default branches.`;
  const problems = problemCount(health, now);
  if (problems > 0) {
    return wrong({
      title: problems === 1 ? '1 problem to fix' : `${problems} problems to fix`,
      text: `${required} But until this is fixed, a check can be late or wrong.`,
      link: { to: 'setup', text: 'What to do' },
    });
  }
  const others = which ? " OTP Guard doesn't check pull requests in others." : '';
  const enforced = {
    ...(weakened > 0 ? WEAKENED : ofChoices(protection)),
    text: required + others,
    link: null,
  };
  return ofBypass(counts, around) ?? enforced;
}

/** The verdict on the repositories; null if each was checked and requires the check. */
function ofRepositories(counts: RepositoryCounts): Verdict | null {
  const { total, protected: required, anySource, notEnforced, unknown, unchecked } = counts;
  if (notEnforced > 0) {
    return wrong({
      title: `Not enforced in ${repositoryCount(notEnforced)}`,
      text: "Merges there don't wait for OTP Guard. Require its check in a ruleset.",
      link: show('notEnforced', notEnforced),
    });
  }
  if (anySource > 0) {
    return wrong({
      title: `Any source will do in ${repositoryCount(anySource)}`,
      text: 'Anyone who can write checks can turn it green there. Set OTP Guard as the source of the required check.',
      link: show('anySource', anySource),
    });
  }
  const unreadable = unknown - unchecked;
  if (unreadable > 0) {
    return {
      status: 'unknown',
      title: `Can't tell for ${repositoryCount(unreadable)}`,
      text: "OTP Guard isn't allowed to read branch protection there. Look at the rules yourself, or require the check in a ruleset.",
      link: show('unknown', unreadable),
    };
  }
  if (unchecked === 0) return null;
  return {
    status: 'unknown',
    title: "Can't tell yet",
    text: `${required} of ${repositoryCount(total)} ${required === 1 ? 'requires' : 'require'} the check. We're still checking the others.`,
    link: null,
  };
}

/** The verdict on those whom the check doesn't hold; null if nobody may go around it, as far as we can see. */
function ofBypass({ total, bypass: { some, unknown } }: RepositoryCounts, around: Around[] | null) {
  if (some > 0) {
    const all = total === 1 ? 'the only repository' : `all ${total} repositories`;
    const which = some === total ? all : `${some} of ${total} repositories`;
    const alsoUnknown = unknown > 0 ? ` We can't tell for ${unknown} more.` : '';
    return wrong({
      title: around?.length
        ? `Protected, except from ${whoInShort(around)}`
        : `Protected, with exceptions in ${repositoryCount(some)}`,
      text: `In ${which}, GitHub lets them merge without an approval.${alsoUnknown}`,
      link: show('bypass', some),
    });
  }
  if (unknown === 0) return null;
  return {
    status: 'unknown' as const,
    title: "Can't tell who may bypass",
    text: `The check is required, but GitHub doesn't tell who may merge without it in ${repositoryCount(unknown)}. ${LET_SEE}`,
    hasCommand: true,
    link: show('bypassUnknown', unknown),
  };
}

/** The link to the repositories in a state. */
const show = (to: VerdictTarget, count: number) => ({
  to,
  text: count === 1 ? 'Show the repository' : 'Show the repositories',
});

/** An opening that an owner chose is worded differently from one that nobody chose. */
function ofChoices(protection: ProtectionPart[]): Pick<Verdict, 'status' | 'title'> {
  const unsettled = protection.filter(({ isSettled }) => !isSettled).length;
  if (unsettled > 0) {
    const things = unsettled === 1 ? '1 thing' : `${unsettled} things`;
    return { status: 'unknown', title: `Enforced, with ${things} left open` };
  }
  const isOnPurpose = protection.some(({ part, isOpen }) => isOpen && part !== 'members');
  return { status: 'good', title: isOnPurpose ? 'Protected as your policy says' : 'Protected' };
}

/** It's enforced now, but nobody has looked at what somebody changed. */
const WEAKENED = { status: 'wrong' as const, title: 'Enforced, but look at what became weaker' };

const wrong = (verdict: Omit<Verdict, 'status'>): Verdict => ({ status: 'wrong', ...verdict });

const SUSPENDED = wrong({
  title: 'Not protected',
  text: "OTP Guard is suspended on GitHub, so it doesn't check any pull requests.",
  link: { to: 'installation', text: 'Unsuspend it on GitHub' },
});

const NO_PERMISSION = wrong({
  title: 'Not protected everywhere',
  text: 'OTP Guard lacks permissions on GitHub, so it may not check every pull request.',
  link: { to: 'setup', text: 'What to do' },
});

const NOTHING_SHARED = wrong({
  title: 'Nothing to protect yet',
  text: NO_REPOSITORIES,
  link: { to: 'installation', text: 'Choose repositories on GitHub' },
});

const UNREADABLE: Verdict = {
  status: 'unknown',
  title: "Can't tell right now",
  text: "We couldn't read how this organization is set up. Try again in a moment.",
  link: { to: 'setup', text: 'Setup health' },
};
