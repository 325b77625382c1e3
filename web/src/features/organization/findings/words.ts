import type {
  Finding,
  FindingFacts,
  FindingId,
  RepositoryCounts,
} from '../../../../../src/contract/findings.ts';
import { type Around, listed, whoInShort } from '../bypass-texts.ts';

/** A text, or one with a time in it. */
export type Paragraph = string | [before: string, at: string, after: string];

export type Headline = {
  /** A few words that say all. */
  title: string;
  /** The meaning, and what to do; by default the paragraphs, or that the check is required. */
  text?: string;
};

type Words<About> = {
  /** The paragraphs about it; anything else is left out. */
  says?: (about: About) => (Paragraph | false | null)[];
  /** The text of the link to its action. */
  link?: (about: About) => string;
  /** The verb of a tile's link to its action, and a few words below the tile's bar. */
  verb?: string;
  brief?: (about: About) => string | false;
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
      return [
        missing.length > 0 && `The App isn't allowed to ${permissionNames(missing)}.`,
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
    says: () => ["OTP Guard doesn't have access to any repositories."],
    link: () => 'Choose repositories on GitHub',
    verb: 'Choose',
    headline: ({ total }) => (total === 0 ? { title: 'Nothing to protect yet' } : null),
  },
  notEnforced: {
    link: ({ count }) => `Require the check in ${repositoryCount(count)}`,
    verb: 'Require it',
    headline: ({ count }) => ({
      title: `Not enforced in ${repositoryCount(count)}`,
      text: "Merges there don't wait for OTP Guard. Require its check in a ruleset.",
    }),
  },
  anySource: {
    link: ({ count }) => `Set OTP Guard as the check's source in ${repositoryCount(count)}`,
    verb: 'Set the source',
    brief: (about) => anySourceText(about),
    headline: ({ count }) => ({
      title: anySourceText({ count }),
      text: 'Anyone who can write checks can turn it green there. Set OTP Guard as the source of the required check.',
    }),
  },
  unreadable: {
    link: ({ count }) => `Show the ${count === 1 ? 'repository' : 'repositories'} that couldn't be checked`,
    verb: 'Show them',
    brief: ({ count }) => `${repositoryCount(count)} couldn't be checked`,
    headline: ({ count }) => ({
      title: `${repositoryCount(count)} couldn't be checked`,
      text: "OTP Guard isn't allowed to read branch protection there. Look at the rules yourself, or require the check in a ruleset.",
    }),
  },
  unchecked: {
    brief: ({ total, unchecked }) =>
      `${total - unchecked} of ${total} checked so far. GitHub limits how many we can check in a minute.`,
    headline: (counts) => ({
      title: 'Still checking',
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
  gate: {
    says: ({ gated, open, unknown, missing, isRequested }) => [
      gated > 0
        ? `OTP Guard's rule is on in environments of ${repositoryCount(gated)}.`
        : "A release can wait for a person's key, as a merge does: “Trusted publishing behind a key” in OTP Guard's docs has each step.",
      open > 0 &&
        `In ${repositoryCount(open)}, administrators can start the waiting jobs without an approval.`,
      unknown > 0 && `OTP Guard can't tell for all environments of ${repositoryCount(unknown)}.`,
      missing.length > 0 && `The App isn't allowed to ${permissionNames(missing)} yet.`,
      missing.length > 0 &&
        (isRequested
          ? 'An owner has to accept that.'
          : "Ask the operator of OTP Guard to add this to the App's permissions on GitHub."),
      'GitHub has such rules in public repositories, and in private ones only with GitHub Enterprise. A job with “deployment: false” fails where one is on.',
    ],
    link: ({ gated, missing, environmentsUrl }) => {
      if (missing.length > 0) return 'Review and accept';
      return gated > 0 || !environmentsUrl ? 'Show the environments' : 'Environments on GitHub';
    },
  },
  bypass: {
    link: ({ count }) => `Close the bypasses in ${repositoryCount(count)}`,
    verb: 'Close',
    brief: ({ count }) => `In ${repositoryCount(count)}`,
    headline: ({ count, unknown, total }, around) => {
      const all = total === 1 ? 'the only repository' : `all ${total} repositories`;
      const which = count === total ? all : `${count} of ${total} repositories`;
      const alsoUnknown = unknown > 0 ? ` ${unknown} more couldn't be checked.` : '';
      return {
        title: around?.length
          ? `Protected, except from ${whoInShort(around)}`
          : `Protected, with exceptions in ${repositoryCount(count)}`,
        text: `In ${which}, GitHub lets them merge without an approval.${alsoUnknown}`,
      };
    },
  },
  bypassUnknown: {
    link: ({ count }) => `Read who may bypass the check in ${repositoryCount(count)}`,
    verb: 'Read them',
    brief: ({ count }) => `Shown to owners only in ${repositoryCount(count)}`,
    headline: ({ count }) => ({
      title: 'Bypass lists not readable yet',
      text: `In ${repositoryCount(count)}, GitHub shows only owners who may merge without the check.`,
    }),
  },
  bypassSaid: {
    brief: ({ count }) => `Read by an owner in ${repositoryCount(count)}, not checked`,
  },
  weakened: { headline: () => ({ title: 'Enforced, but look at what became weaker' }) },
  members: {
    link: ({ count }) =>
      `Invite ${count === 1 ? '1 member' : `${count} members`} to register an authenticator`,
    verb: 'Invite',
    brief: ({ total, one }) =>
      total === 0 ? 'GitHub has listed no members yet' : one > 0 && `${one} with a single authenticator`,
  },
  firstAuthenticator: {
    link: () => 'Decide how members enrol',
    verb: 'Decide',
    brief: ({ mode }) => mode === 'open' && 'A GitHub sign-in is enough to enrol',
  },
  ownApprovals: {
    link: () => 'Decide whether authors can approve their own pull requests',
    verb: 'Decide',
    brief: ({ where }) => where !== 'nowhere' && 'Authors can approve their own',
  },
  rollOut: { says: (about) => [waitingText(about), stuckText(about)] },
};

const permissionNames = (missing: FindingFacts['permissions']['missing']) =>
  listed(
    missing.map(({ name, level }) => `${level} ${name.replaceAll('_', ' ')}`),
    'disjunction',
  );

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

export const verbOf = (finding: Finding): string => wordsOf(finding).verb ?? '';

/** A few words for a tile; null if its number says it all. */
export const briefOf = (finding: Finding): string | null => wordsOf(finding).brief?.(finding.about) || null;

const anySourceText = ({ count }: { count: number }) =>
  `${repositoryCount(count)} ${count === 1 ? 'accepts' : 'accept'} the check from any app`;

const requiredText = ({ total, protected: required }: RepositoryCounts) =>
  `${required} of ${repositoryCount(total)} ${required === 1 ? 'requires' : 'require'} the check.`;

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
