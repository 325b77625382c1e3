import type { CheckRequirement } from '../../../../../src/contract/organization-health.ts';
import type { NoMemberList, RollOutAnswer, RollOutPerson } from '../../../../../src/contract/roll-out.ts';

/** Whether a repository requires the check, as far as we asked GitHub. */
export const REQUIRED_TEXTS: Record<CheckRequirement, string> = {
  thisApp: 'Required already',
  anySource: 'Required from any source',
  no: 'Not required yet',
  unknown: "Can't tell",
};

/** The pull requests that would wait if every repository required the check today. */
export function waitingNowText({ waiting, unblocked, isComplete }: RollOutAnswer): string {
  if (waiting === 0)
    return 'No pull requests wait for approval, so requiring the check would block none that are open now.';
  if (unblocked === 0)
    return `${isComplete ? '' : 'At least '}${pulls(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for approval, all where the check is required already.`;
  return `If every repository required the check today, ${isComplete ? '' : 'at least '}${pulls(unblocked)} would have to wait for approval.`;
}

const pulls = (count: number) =>
  `${count.toLocaleString('en')} open pull ${count === 1 ? 'request' : 'requests'}`;

/** Says how many of the waiting pull requests couldn't be approved; null if all can, as far as we know. */
export function stuckText({ unblocked, stuck }: RollOutAnswer): string | null {
  if (stuck === null)
    return unblocked > 0
      ? "We can't tell whether enough people have an authenticator to approve them."
      : null;
  return stuck > 0
    ? `${stuck.toLocaleString('en')} of them couldn't be approved: too few members have an authenticator.`
    : null;
}

/** Says why the page names no people. */
export const NO_LIST_TEXTS: Record<NoMemberList, string> = {
  personalAccount:
    "GitHub has no list of members for a personal account, so we can't tell who has no authenticator.",
  notReadYet: 'OTP Guard is reading the members from GitHub. Open this page again in a minute or two.',
  tooMany: 'This organization has more than 5,000 members, too many to compare here.',
};

/** How a member is involved in waiting pull requests. */
export function openedText({ opened, asked }: Pick<RollOutPerson, 'opened' | 'asked'>): string {
  const parts = [opened > 0 && `opened ${opened}`, asked > 0 && `asked to review ${asked}`].filter(Boolean);
  const text = parts.join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
