import type { Policy, Rule } from './policy.ts';

/** A part of an organization's protection that its owners leave open. */
export type LeftOpen = {
  part: 'firstAuthenticator' | 'ownApprovals' | 'members';
  /**
   * False if it needs an owner: no owner has saved a policy yet, so the default applies and nobody chose it; or no member
   * has an authenticator.
   */
  isSettled: boolean;
  /** One sentence, or two. */
  text: string;
};

/**
 * What an organization leaves open although its repositories require the check: how a first authenticator gets in,
 * whether authors can approve their own pull requests, and members without an authenticator.
 *
 * @param number The number of the policy in force; 0 while no owner has saved one, which is our record of "never chosen".
 * @param members Null if GitHub's list of members wasn't read yet.
 */
export function leftOpenBy(
  { policy, number }: { policy: Policy; number: number },
  members: { total: number; enrolled: number } | null,
): LeftOpen[] {
  const isSettled = number > 0;
  const choice = isSettled
    ? 'An owner saved the policy that allows it.'
    : 'This is the default: no owner has chosen it yet.';
  const enrolment: LeftOpen[] =
    policy.enrolment.mode === 'open'
      ? [
          {
            part: 'firstAuthenticator',
            isSettled,
            text: `A GitHub sign-in is enough to register a first authenticator. ${choice}`,
          },
        ]
      : [];
  const own = ownApprovals(policy);
  const approvals: LeftOpen[] = own ? [{ part: 'ownApprovals', isSettled, text: `${own} ${choice}` }] : [];
  return [...enrolment, ...approvals, ...withoutOne(members)];
}

/** Where an author's approval is enough for their own pull request, as a sentence; null if it's enough nowhere. */
function ownApprovals({ rules }: Policy): string | null {
  const limiting = rules.filter(({ enforced, require }) => enforced && needsOthers(require));
  if (limiting.some(({ when }) => coversEverything(when))) return null;
  return limiting.length > 0
    ? 'Authors can approve their own pull requests where no rule prevents it.'
    : 'Authors can approve their own pull requests.';
}

const needsOthers = ({ approvals, notBy }: Rule['require']) =>
  approvals > 1 || (approvals === 1 && notBy.includes('author'));

/** Whether a rule applies to every pull request of a person. Machines can't approve anything. */
const coversEverything = ({ repositories, branches, paths, authors }: Rule['when']) =>
  (!repositories || repositories.includes('*') || repositories.includes('**')) &&
  (!branches || branches.includes('**')) &&
  (!paths || paths.includes('**')) &&
  (authors === 'anyone' || authors === 'people');

function withoutOne(members: { total: number; enrolled: number } | null): LeftOpen[] {
  const missing = members ? members.total - members.enrolled : 0;
  if (!members || missing <= 0) return [];
  if (members.enrolled === 0)
    return [
      { part: 'members', isSettled: false, text: 'No member has an authenticator, so nobody can approve.' },
    ];
  const text = `${missing} of ${members.total} members ${missing === 1 ? 'has' : 'have'} no authenticator.`;
  return [{ part: 'members', isSettled: true, text }];
}
