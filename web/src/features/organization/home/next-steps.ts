import type { OrganizationAnswer, ProtectionPart } from '../../../../../src/contract/organization.ts';
import type { RepositoryCounts } from '../../../../../src/contract/organization-health.ts';
import { repositoryCount } from '../setup/summaries.ts';

export type NextStep = { text: string; to: `/org/${string}`; query?: Record<string, string> };

type Known = {
  counts: Pick<RepositoryCounts, 'notEnforced' | 'anySource' | 'bypass'>;
  members: Pick<NonNullable<OrganizationAnswer['members']>, 'reachable' | 'unreachable'> | null;
  protection: Pick<ProtectionPart, 'part' | 'isSettled'>[];
};

/** An owner's next steps: first about the check, then about who can approve, then choices that nobody has made yet. */
export function nextSteps({ counts, members, protection }: Known): NextStep[] {
  const { notEnforced, anySource, bypass } = counts;
  const missing = members ? members.reachable + members.unreachable : 0;
  const isUnsettled = (name: ProtectionPart['part']) =>
    protection.some(({ part, isSettled }) => part === name && !isSettled);
  const inState = (state: string) => ({ to: '/org/repositories', query: { state } }) as const;
  const steps: (NextStep | false)[] = [
    notEnforced > 0 && {
      text: `Require the check in ${repositoryCount(notEnforced)}`,
      to: '/org/roll-out',
    },
    anySource > 0 && {
      text: `Set OTP Guard as the check's source in ${repositoryCount(anySource)}`,
      ...inState('anySource'),
    },
    bypass.some > 0 && {
      text: `Let nobody around the check in ${repositoryCount(bypass.some)}`,
      ...inState('bypass'),
    },
    bypass.unknown > 0 && {
      text: `Let OTP Guard see who may bypass the check in ${repositoryCount(bypass.unknown)}`,
      ...inState('bypassUnknown'),
    },
    missing > 0 && {
      text: `Ask ${missing === 1 ? '1 member' : `${missing} members`} to register an authenticator`,
      to: '/org/members',
      query: { state: 'missing' },
    },
    isUnsettled('firstAuthenticator') && {
      text: 'Choose how first authenticators come in',
      to: '/org/policy',
    },
    isUnsettled('ownApprovals') && {
      text: 'Choose whether authors can approve their own pull requests',
      to: '/org/policy',
    },
  ];
  return steps.filter((step) => step !== false);
}
