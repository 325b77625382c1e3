import type { NoMemberList, RollOutPerson } from '../../../../../src/contract/roll-out.ts';

/** Says why the page names no people. */
export const NO_LIST_TEXTS: Record<NoMemberList, string> = {
  personalAccount:
    "GitHub has no list of members for a personal account, so we can't tell who has no authenticator.",
  notReadYet: 'OTP Guard is reading the members from GitHub. Open this page again in a minute or two.',
  tooMany: 'This organization has more than 5,000 members, too many to compare here.',
};

/** Says how a member is involved in waiting pull requests. */
export function openedText({ opened, asked }: Pick<RollOutPerson, 'opened' | 'asked'>): string {
  const parts = [opened > 0 && `opened ${opened}`, asked > 0 && `asked to review ${asked}`].filter(Boolean);
  const text = parts.join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
