import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { toIso } from '../../../lib/times.ts';
import type { Status } from '../status-row.tsx';

/** A text, or one with a time in it. */
type Paragraph = string | [before: string, at: string, after: string];

/** A part of the setup: whether it's in order, and what to say about it. */
export type SetupPart = {
  name: string;
  status: Status;
  /** Anything but a paragraph is left out. */
  paragraphs: (Paragraph | false | null)[];
  /** GitHub's page on which an owner changes it. */
  link?: { href: string; text: string };
};

/** The parts of the setup, but for the repositories. `now` is in milliseconds since 1970. */
export function setupParts(health: OrganizationHealth, now: number): SetupPart[] {
  const { permissions, enterpriseServer, isProxyUnknown, backup } = health;
  const parts = [
    permissionsPart(permissions),
    webhooksPart(health),
    enterpriseServer && enterpriseServerPart(enterpriseServer),
    health.lostLeft > 0 && lostPart(health.lostLeft),
    isProxyUnknown && PROXY,
    backup && backupPart(backup),
    fullCheckPart(health, now),
  ];
  return parts.filter((part) => part !== null && part !== false);
}

function permissionsPart({ missing, isPending, settingsUrl }: OrganizationHealth['permissions']): SetupPart {
  const name = 'permissions';
  if (missing.length === 0 && !isPending)
    return { name, status: 'good', paragraphs: ['The App has the permissions it needs.'] };
  return {
    name,
    status: 'wrong',
    paragraphs: [
      missing.length > 0 && missingPermissionsText(missing),
      isPending
        ? 'The App requests permissions that no owner has accepted yet.'
        : "Ask the operator of OTP Guard to add this to the App's permissions on GitHub. An owner then has to accept it.",
    ],
    link: { href: settingsUrl, text: isPending ? 'Review and accept' : "The App's permissions" },
  };
}

/** The permissions the App lacks. GitHub's `checks: write` becomes "write checks". */
export const missingPermissionsText = (missing: string[]) =>
  `The App isn't allowed to ${list(missing.map(permissionText), 'disjunction')}.`;

function permissionText(permission: string): string {
  const [, name, level] = /^([a-z_]+): ([a-z]+)$/.exec(permission) ?? [];
  return name && level ? `${level} ${name.replaceAll('_', ' ')}` : permission;
}

/** Longer with many repositories, because GitHub limits requests. */
const USUAL_WATCH_SECONDS = 30;

/** Whether GitHub's webhooks reach OTP Guard. */
function webhooksPart({ permissions, webhooks, watchSeconds }: OrganizationHealth): SetupPart {
  const { last, missed, silentSince } = webhooks;
  const isWrong = last === null || missed > 0 || silentSince !== null;
  // GitHub's page with the Apps of an account, from the settings page of one of its installations.
  const href = permissions.settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');
  return {
    name: 'webhooks',
    status: isWrong ? 'wrong' : 'good',
    paragraphs: [
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
    ...(isWrong && { link: { href, text: "Your Apps' settings" } }),
  };
}

/** Shown only on an Enterprise Server: its version, and what it can't do. An unknown version isn't a problem by itself. */
const enterpriseServerPart = ({
  version,
  isUnchecked,
  hasMergeGroups,
}: NonNullable<OrganizationHealth['enterpriseServer']>): SetupPart => ({
  name: 'server',
  status: isUnchecked || !hasMergeGroups ? 'unknown' : 'good',
  paragraphs: [
    `GitHub Enterprise Server ${version}.`,
    isUnchecked &&
      'It is older than any version that OTP Guard was compared with, so some things may not work.',
    !hasMergeGroups &&
      "The App gets no merge groups, so the check would block a merge queue forever. Don't require the check on branches with a merge queue.",
  ],
});

/** Shown only while approvals by a lost or stolen authenticator couldn't be withdrawn. */
const lostPart = (left: number): SetupPart => ({
  name: 'lost authenticators',
  status: 'wrong',
  paragraphs: [
    `${left === 1 ? "1 approval by a lost authenticator isn't" : `${left} approvals by lost authenticators aren't`} withdrawn yet, so checks may be green that shouldn't be. OTP Guard keeps trying. Ask its operator to look at the log, and merge only what you have looked at yourself.`,
  ],
});

/** Shown only if people come through a proxy that OTP Guard doesn't know about. */
const PROXY: SetupPart = {
  name: 'proxy',
  status: 'wrong',
  paragraphs: [
    "People come to OTP Guard through a proxy that it doesn't know about, so all of them seem to have one address. Ask the operator of OTP Guard to set TRUST_PROXY.",
  ],
};

/** Says how old the server's last daily backup is. */
const backupPart = ({ last, isLate }: NonNullable<OrganizationHealth['backup']>): SetupPart => ({
  name: 'backup',
  status: isLate ? 'wrong' : last ? 'good' : 'unknown',
  paragraphs: [
    last && ['Last backup made ', last, '.'],
    !last && (isLate ? 'There is no backup.' : 'The first backup is still to come.'),
    isLate &&
      'Ask the operator of OTP Guard to look at the log: without a backup, a broken disk takes every approval and authenticator with it.',
  ],
});

/** A full check runs every few minutes; after an hour without one, something is wrong. */
const OVERDUE_MS = 60 * 60_000;

/** The result of the last full check: a reconciliation of all open pull requests. */
function fullCheckPart({ sweep, permissions }: OrganizationHealth, now: number): SetupPart {
  const name = 'full check';
  if (!sweep) {
    const text = 'No full check yet. OTP Guard runs one when it starts and then every few minutes.';
    return { name, status: 'wrong', paragraphs: [text] };
  }
  const { at, repaired, faults } = sweep;
  const isOverdue = now - Date.parse(toIso(at)) > OVERDUE_MS;
  const isFaulty = faults.length > 0;
  return {
    name,
    status: isFaulty || isOverdue ? 'wrong' : 'good',
    paragraphs: [
      [
        'Last full check ',
        at,
        isFaulty ? `: ${faultsText(faults, repaired)}` : `; ${repairedText(repaired)}.`,
      ],
      isOverdue && 'It should run every few minutes. Ask the operator of OTP Guard to check its log.',
      isFaulty &&
        "The next full check tries again. If that doesn't help, make sure the App still has access.",
    ],
    ...(isFaulty && { link: { href: permissions.settingsUrl, text: "The App's access" } }),
  };
}

/** Says how many check runs the last full check repaired. */
function repairedText(repaired: number): string {
  if (repaired === 0) return 'nothing to fix';
  return repaired === 1 ? 'fixed 1 check' : `fixed ${repaired} checks`;
}

const MOST_NAMED = 5;

/**
 * The repositories that the last full check failed for, and what it repaired in the others. They come as `owner/name`;
 * `octo-org/*` stands for all.
 */
export function faultsText(faults: string[], repaired: number): string {
  const names = faults.map((fault) => fault.slice(fault.indexOf('/') + 1));
  if (names.includes('*')) return "it failed for all of this organization's repositories.";
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
  const others = repaired > 0 ? ` It ${repairedText(repaired)} in others.` : '';
  return `it failed for ${list(named, 'conjunction')}.${others}`;
}

const list = (words: string[], type: Intl.ListFormatType) =>
  new Intl.ListFormat('en', { type }).format(words);
