import type {
  Finding,
  FindingFacts,
  FindingId,
  RepositoryCounts,
} from '../../../../../src/contract/findings.ts';
import type { RepositoryState } from '../../../../../src/contract/organization-health.ts';
import { type Around, LET_SEE, listed, whoInShort } from '../bypass-texts.ts';

/** A text, or one with a time in it. */
export type Paragraph = string | [before: string, at: string, after: string];

export type Headline = {
  /** A few words that say all. */
  title: string;
  /** The meaning, and what to do; by default the paragraphs, or that the check is required. */
  text?: string;
  /** Set if the command follows that an owner runs to let OTP Guard see. */
  hasCommand?: boolean;
  /** The list of repositories to link to, instead of the finding's action. */
  state?: RepositoryState;
};

type Words<About> = {
  /** The paragraphs about it; anything else is left out. */
  says?: (about: About) => (Paragraph | false | null)[];
  /** The text of the link to its action. */
  link?: (about: About) => string;
  /**
   * What it says as the verdict; null if it leaves that to a lighter finding.
   *
   * @param around The actors that may merge without the check; null if they weren't read.
   */
  headline?: (about: About, around: Around[] | null) => Headline | null;
};

/** Longer with many repositories, because GitHub limits requests. */
const USUAL_WATCH_SECONDS = 30;

/**
 * What people read about each finding, from the gravest to the lightest: the first finding out of order is the verdict.
 */
const WORDS: { [Id in FindingId]: Words<FindingFacts[Id]> } = {
  suspended: {
    says: () => ["OTP Guard is suspended on GitHub, so it doesn't check any pull requests."],
    link: () => 'Unsuspend it on GitHub',
    headline: () => ({ title: 'Not protected' }),
  },
  permissions: {
    says: ({ missing, isPending }) => {
      if (missing.length === 0 && !isPending) return ['The App has the permissions it needs.'];
      const names = missing.map(({ name, level }) => `${level} ${name.replaceAll('_', ' ')}`);
      return [
        names.length > 0 && `The App isn't allowed to ${listed(names, 'disjunction')}.`,
        isPending
          ? 'The App requests permissions that no owner has accepted yet.'
          : "Ask the operator of OTP Guard to add this to the App's permissions on GitHub. An owner then has to accept it.",
      ];
    },
    link: ({ isPending }) => (isPending ? 'Review and accept' : "The App's permissions"),
    headline: ({ missing }) =>
      missing.length > 0
        ? {
            title: 'Not protected everywhere',
            text: 'OTP Guard lacks permissions on GitHub, so it may not check every pull request.',
          }
        : null,
  },
  required: {
    says: (counts) => [
      counts.total === 0 ? "OTP Guard doesn't have access to any repositories." : requiredText(counts),
    ],
    link: () => 'Choose repositories on GitHub',
    headline: ({ total }) => (total === 0 ? { title: 'Nothing to protect yet' } : null),
  },
  notEnforced: {
    link: ({ count }) => `Require the check in ${repositoryCount(count)}`,
    headline: ({ count }) => ({
      title: `Not enforced in ${repositoryCount(count)}`,
      text: "Merges there don't wait for OTP Guard. Require its check in a ruleset.",
      state: 'notEnforced',
    }),
  },
  anySource: {
    says: ({ count }) => [`${count} ${count === 1 ? 'takes' : 'take'} it from any source.`],
    link: ({ count }) => `Set OTP Guard as the check's source in ${repositoryCount(count)}`,
    headline: ({ count }) => ({
      title: `Any source will do in ${repositoryCount(count)}`,
      text: 'Anyone who can write checks can turn it green there. Set OTP Guard as the source of the required check.',
      state: 'anySource',
    }),
  },
  unreadable: {
    says: ({ count }) => [`${count} can't be checked.`],
    headline: ({ count }) => ({
      title: `Can't tell for ${repositoryCount(count)}`,
      text: "OTP Guard isn't allowed to read branch protection there. Look at the rules yourself, or require the check in a ruleset.",
      state: 'unknown',
    }),
  },
  unchecked: {
    says: ({ count }) => [`${count} ${count === 1 ? "isn't" : "aren't"} checked yet.`],
    headline: (counts) => ({
      title: "Can't tell yet",
      text: `${requiredText(counts)} We're still checking the others.`,
    }),
  },
  webhooks: {
    says: ({ last, missed, silentSince, watchSeconds }) => [
      last ? ['Last webhook received ', last, '.'] : 'No webhooks received yet.',
      !last &&
        missed === 0 &&
        "Open a pull request or push to one. If that doesn't help, check the webhook URL in the App's settings and that the webhook is active.",
      silentSince && [
        "Webhooks don't arrive: something changed on GitHub ",
        silentSince,
        ', and no webhook came. Checks are late, and a green check can be wrong for a while.',
      ],
      silentSince &&
        missed === 0 &&
        "Check the webhook URL in the App's settings, and that the webhook is active.",
      watchSeconds > USUAL_WATCH_SECONDS &&
        `Many repositories have green checks, so OTP Guard looks at each only every ${Math.round(watchSeconds)} seconds. If a webhook is lost, a green check can be wrong for that long.`,
      missed > 0 &&
        `${missed === 1 ? "1 webhook didn't" : `${missed} webhooks didn't`} reach OTP Guard. We asked GitHub to redeliver ${missed === 1 ? 'it' : 'them'}. Check that GitHub can reach OTP Guard: the App's settings list the deliveries under Advanced.`,
    ],
    link: () => "Your Apps' settings",
  },
  enterpriseServer: {
    says: ({ version, isUnchecked, hasMergeGroups }) => [
      `GitHub Enterprise Server ${version}.`,
      isUnchecked &&
        'It is older than any version that OTP Guard was compared with, so some things may not work.',
      !hasMergeGroups &&
        "The App gets no merge groups, so the check would block a merge queue forever. Don't require the check on branches with a merge queue.",
    ],
  },
  lostAuthenticators: {
    says: ({ approvals }) => [
      `${approvals === 1 ? "1 approval by a lost authenticator isn't" : `${approvals} approvals by lost authenticators aren't`} withdrawn yet, so checks may be green that shouldn't be. OTP Guard keeps trying. Ask its operator to look at the log, and merge only what you have looked at yourself.`,
    ],
  },
  proxy: {
    says: () => [
      "People come to OTP Guard through a proxy that it doesn't know about, so all of them seem to have one address. Ask the operator of OTP Guard to set TRUST_PROXY.",
    ],
  },
  backup: {
    says: ({ last, isLate }) => [
      last && ['Last backup made ', last, '.'],
      !last && (isLate ? 'There is no backup.' : 'The first backup is still to come.'),
      isLate &&
        'Ask the operator of OTP Guard to look at the log: without a backup, a broken disk takes every approval and authenticator with it.',
    ],
  },
  fullCheck: {
    says: (last) => {
      if (!last) return ['No full check yet. OTP Guard runs one when it starts and then every few minutes.'];
      const isFaulty = last.faults.length > 0;
      return [
        ['Last full check ', last.at, isFaulty ? `: ${faultsText(last)}` : `; ${repairedText(last)}.`],
        last.isOverdue && 'It should run every few minutes. Ask the operator of OTP Guard to check its log.',
        isFaulty &&
          "The next full check tries again. If that doesn't help, make sure the App still has access.",
      ];
    },
    link: () => "The App's access",
  },
  bypass: {
    link: ({ count }) => `Let nobody around the check in ${repositoryCount(count)}`,
    headline: ({ count, unknown, total }, around) => {
      const all = total === 1 ? 'the only repository' : `all ${total} repositories`;
      const which = count === total ? all : `${count} of ${total} repositories`;
      const alsoUnknown = unknown > 0 ? ` We can't tell for ${unknown} more.` : '';
      return {
        title: around?.length
          ? `Protected, except from ${whoInShort(around)}`
          : `Protected, with exceptions in ${repositoryCount(count)}`,
        text: `In ${which}, GitHub lets them merge without an approval.${alsoUnknown}`,
        state: 'bypass',
      };
    },
  },
  bypassUnknown: {
    link: ({ count }) => `Let OTP Guard see who may bypass the check in ${repositoryCount(count)}`,
    headline: ({ count }) => ({
      title: "Can't tell who may bypass",
      text: `The check is required, but GitHub doesn't tell who may merge without it in ${repositoryCount(count)}. ${LET_SEE}`,
      hasCommand: true,
      state: 'bypassUnknown',
    }),
  },
  weakened: { headline: () => ({ title: 'Enforced, but look at what became weaker' }) },
  members: {
    says: ({ total, enrolled }) => {
      const missing = total - enrolled;
      if (total === 0)
        return ["We have no list of the members from GitHub, so we can't tell who has no authenticator."];
      if (missing <= 0) return ['Every member has an authenticator.'];
      if (enrolled === 0) return ['No member has an authenticator, so nobody can approve.'];
      return [`${missing} of ${total} members ${missing === 1 ? 'has' : 'have'} no authenticator.`];
    },
    link: ({ count }) => `Ask ${count === 1 ? '1 member' : `${count} members`} to register an authenticator`,
  },
  firstAuthenticator: {
    says: ({ mode, isChosen }) => [FIRST_AUTHENTICATOR[mode], decisionText(isChosen)],
    link: () => 'Choose how first authenticators come in',
  },
  ownApprovals: {
    says: ({ where, isChosen }) => [OWN_APPROVALS[where], decisionText(isChosen)],
    link: () => 'Choose whether authors can approve their own pull requests',
  },
  rollOut: { says: (about) => [waitingText(about), stuckText(about)] },
};

const GRAVEST_FIRST = Object.keys(WORDS);

export const gravestFirst = (findings: Finding[]): Finding[] =>
  findings.toSorted((one, other) => GRAVEST_FIRST.indexOf(one.id) - GRAVEST_FIRST.indexOf(other.id));

/** TypeScript doesn't see that a finding's facts are those of its id. */
const wordsOf = ({ id }: Finding) => WORDS[id] as Words<unknown>;

export const paragraphsOf = (finding: Finding): Paragraph[] =>
  (wordsOf(finding).says?.(finding.about) ?? []).filter((one) => one !== false && one !== null);

export const headlineOf = (finding: Finding, around: Around[] | null): Headline | null =>
  wordsOf(finding).headline?.(finding.about, around) ?? null;

/** Counts the repositories that require the check, by the findings about them. */
export const countsIn = (findings: Finding[] | null): RepositoryCounts | undefined =>
  findings?.find((one) => one.id === 'required')?.about;

/** The text of the link to what there is to do. */
export const linkTextOf = (finding: Finding): string => wordsOf(finding).link?.(finding.about) ?? '';

const requiredText = ({ total, protected: required }: RepositoryCounts) =>
  `${required} of ${repositoryCount(total)} ${required === 1 ? 'requires' : 'require'} the check.`;

const FIRST_AUTHENTICATOR: Record<FindingFacts['firstAuthenticator']['mode'], string> = {
  open: 'A GitHub sign-in is enough to register a first authenticator.',
  email: 'A first authenticator needs a code to a company address.',
  vouched: 'A first authenticator needs a vouch.',
};

const OWN_APPROVALS: Record<FindingFacts['ownApprovals']['where'], string> = {
  everywhere: 'Authors can approve their own pull requests.',
  somewhere: 'Authors can approve their own pull requests where no rule prevents it.',
  nowhere: "An author's own approval is never enough.",
};

const decisionText = (isChosen: boolean) =>
  isChosen ? 'An owner saved this policy.' : 'This is the default: no owner has chosen it yet.';

type FullCheck = NonNullable<FindingFacts['fullCheck']>;

function repairedText({ repaired }: FullCheck): string {
  if (repaired === 0) return 'nothing to fix';
  return repaired === 1 ? 'fixed 1 check' : `fixed ${repaired} checks`;
}

const MOST_NAMED = 5;

function faultsText(last: FullCheck): string {
  const { faults, isForAll, repaired } = last;
  if (isForAll) return "it failed for all of this organization's repositories.";
  const more = faults.length - MOST_NAMED;
  const named = more > 0 ? [...faults.slice(0, MOST_NAMED), `${more} more`] : faults;
  const others = repaired > 0 ? ` It ${repairedText(last)} in others.` : '';
  return `it failed for ${listed(named)}.${others}`;
}

/** The pull requests that would wait if every repository required the check today. */
function waitingText({ waiting, unblocked, isComplete }: FindingFacts['rollOut']): string {
  if (waiting === 0)
    return 'No pull requests wait for approval, so requiring the check would block none that are open now.';
  if (unblocked === 0)
    return `${isComplete ? '' : 'At least '}${pulls(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for approval, all where the check is required already.`;
  return `If every repository required the check today, ${isComplete ? '' : 'at least '}${pulls(unblocked)} would have to wait for approval.`;
}

/** Says how many pull requests couldn't be approved; null if all can, as far as we know. */
function stuckText({ unblocked, stuck }: FindingFacts['rollOut']): string | null {
  if (stuck === null && unblocked > 0)
    return "We can't tell whether enough people have an authenticator to approve them.";
  return stuck
    ? `${stuck.toLocaleString('en')} of them couldn't be approved: too few members have an authenticator.`
    : null;
}

const pulls = (count: number) =>
  `${count.toLocaleString('en')} open pull ${count === 1 ? 'request' : 'requests'}`;

export const repositoryCount = (count: number) => (count === 1 ? '1 repository' : `${count} repositories`);
