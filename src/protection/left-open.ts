import type { ProtectionPart } from '../contract/organization.ts';
import type { Policy, Rule } from '../contract/policy.ts';

/**
 * Says what an organization protects and what it leaves open although its repositories require the check: how a first
 * authenticator gets in, whether authors can approve their own pull requests, and members without an authenticator.
 *
 * @param number The number of the policy in force; 0 while no owner has saved one, which is our record of "never chosen".
 * @param members Null without GitHub's list of them: a personal account has none, and a new organization's isn't read yet.
 */
export function protectionOf(
  { policy, number }: { policy: Policy; number: number },
  members: { total: number; enrolled: number } | null,
): ProtectionPart[] {
  const isChosen = number > 0;
  const decided = (isOpen: boolean) => ({
    isOpen,
    isSettled: isChosen || !isOpen,
    decision: isChosen ? 'An owner saved this policy.' : 'This is the default: no owner has chosen it yet.',
  });
  const own = ownApprovals(policy);
  const { mode } = policy.enrolment;
  return [
    { part: 'firstAuthenticator', text: ENROLMENT[mode], ...decided(mode === 'open') },
    { part: 'ownApprovals', text: OWN_APPROVALS[own], ...decided(own !== 'nowhere') },
    { part: 'members', ...ofMembers(members), decision: '' },
  ];
}

const ENROLMENT: Record<Policy['enrolment']['mode'], string> = {
  open: 'A GitHub sign-in is enough to register a first authenticator.',
  email: 'A first authenticator needs a code to a company address.',
  vouched: 'A first authenticator needs a vouch.',
};

const OWN_APPROVALS = {
  everywhere: 'Authors can approve their own pull requests.',
  somewhere: 'Authors can approve their own pull requests where no rule prevents it.',
  nowhere: "An author's own approval is never enough.",
};

/** Where an author's approval is enough for their own pull request. */
function ownApprovals({ rules }: Policy): keyof typeof OWN_APPROVALS {
  const limiting = rules.filter(({ enforced, require }) => enforced && needsOthers(require));
  if (limiting.some(({ when }) => coversEverything(when))) return 'nowhere';
  return limiting.length > 0 ? 'somewhere' : 'everywhere';
}

const needsOthers = ({ approvals, notBy }: Rule['require']) =>
  approvals > 1 || (approvals === 1 && notBy.includes('author'));

type When = Rule['when'];

/** For each condition of a rule, whether it holds for every pull request of a person. Machines can't approve anything. */
const HOLDS_ALWAYS: { [Name in keyof When]-?: (condition: When[Name]) => boolean } = {
  repositories: (names) => !names || names.includes('*') || names.includes('**'),
  branches: (names) => !names || names.includes('**'),
  paths: (globs) => !globs || globs.includes('**'),
  authors: (who) => who === 'anyone' || who === 'people',
};

const coversEverything = (when: When) =>
  (Object.keys(HOLDS_ALWAYS) as (keyof When)[]).every((name) => HOLDS_ALWAYS[name](when[name] as never));

function ofMembers(
  members: { total: number; enrolled: number } | null,
): Pick<ProtectionPart, 'isOpen' | 'isSettled' | 'text'> {
  if (!members || members.total === 0)
    return {
      isOpen: true,
      isSettled: true,
      text: "We have no list of the members from GitHub, so we can't tell who has no authenticator.",
    };
  const { total, enrolled } = members;
  const missing = total - enrolled;
  if (missing <= 0) return { isOpen: false, isSettled: true, text: 'Every member has an authenticator.' };
  if (enrolled === 0)
    return {
      isOpen: true,
      isSettled: false,
      text: 'No member has an authenticator, so nobody can approve.',
    };
  const text = `${missing} of ${total} members ${missing === 1 ? 'has' : 'have'} no authenticator.`;
  return { isOpen: true, isSettled: true, text };
}
