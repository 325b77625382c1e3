import type { OrganizationAnswer, ProtectionPart } from '../../../../../src/contract/organization.ts';
import type { RepositoryCounts } from '../../../../../src/contract/organization-health.ts';
import { repositoryCount } from '../setup/summaries.ts';

export type NextStep = { text: string; to: `/org/${string}`; query: Record<string, string | null> };

type Facts = {
  counts: Pick<RepositoryCounts, 'notEnforced' | 'anySource' | 'bypass'>;
  members: Pick<NonNullable<OrganizationAnswer['members']>, 'reachable' | 'unreachable'> | null;
  protection: Pick<ProtectionPart, 'part' | 'isSettled'>[];
};

/** An owner's next steps: first about the check, then about who can approve, then choices that nobody has made yet. */
export function nextSteps({
  counts: { notEnforced, anySource, bypass },
  members,
  protection,
}: Facts): NextStep[] {
  const missing = members ? members.reachable + members.unreachable : 0;
  const isUnsettled = (name: ProtectionPart['part']) =>
    protection.some(({ part, isSettled }) => part === name && !isSettled);
  const steps: (NextStep | false)[] = [
    notEnforced > 0 && {
      text: `Require the check in ${repositoryCount(notEnforced)}`,
      ...{ to: '/org/roll-out', query: {} },
    },
    anySource > 0 && {
      text: `Set OTP Guard as the check's source in ${repositoryCount(anySource)}`,
      ...{ to: '/org/repositories', query: { state: 'anySource' } },
    },
    bypass.some > 0 && {
      text: `Let nobody around the check in ${repositoryCount(bypass.some)}`,
      ...{ to: '/org/repositories', query: { state: 'bypass' } },
    },
    bypass.unknown > 0 && {
      text: `Let OTP Guard see who may bypass the check in ${repositoryCount(bypass.unknown)}`,
      ...{ to: '/org/repositories', query: { state: 'bypassUnknown' } },
    },
    missing > 0 && {
      text: `Ask ${missing === 1 ? '1 member' : `${missing} members`} to register an authenticator`,
      ...{ to: '/org/members', query: { state: 'missing' } },
    },
    isUnsettled('firstAuthenticator') && {
      text: 'Choose how first authenticators come in',
      ...{ to: '/org/policy', query: {} },
    },
    isUnsettled('ownApprovals') && {
      text: 'Choose whether authors can approve their own pull requests',
      ...{ to: '/org/policy', query: {} },
    },
  ];
  return steps.filter((step) => step !== false);
}
