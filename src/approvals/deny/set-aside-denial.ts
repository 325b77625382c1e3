import type { Effects } from '../../audit/ports.ts';
import { requireProof, requireStepUp } from '../../authenticators/step-up/step-up.ts';
import type { WithdrawalAnswer } from '../../contract/approvals.ts';
import type { StepUp } from '../../contract/step-up.ts';
import type { Organization } from '../../organizations/ports.ts';
import { requireOwner } from '../../organizations/require-role.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { ApproveDeps } from '../approve/deps.ts';
import type { LocatedDenial } from '../ports.ts';
import { labelOf, showWithdrawal, withdrawalEntry } from '../withdraw/withdraw-approval.ts';

/**
 * Ends another person's denial, for an owner who confirms it with their own authenticator and says why. Then updates
 * GitHub. The person may deny the commit again.
 *
 * @throws AppError `notOwner`, `denialNotFound` if it's no longer in force, and the refusals of the step-up.
 */
export async function setAsideDenial(
  deps: ApproveDeps,
  input: { person: Person; orgID: number; denialID: string; reason: string; stepUp?: StepUp | undefined },
): Promise<WithdrawalAnswer> {
  const { person, orgID, denialID, reason } = input;
  const org = await requireOwner(deps, person, orgID);
  const denial = await deps.approvals.findDenial(orgID, denialID);
  if (!denial) throw new AppError('denialNotFound');
  const proof = requireProof(input.stepUp, 'set a denial aside');
  await requireStepUp(deps, { session: person, org, action: { type: 'set-aside-denial', denialID }, proof });
  const userId = await deps.users.userIdOf(denial.githubId);
  const effects = effectsOf(person, { org, denial, reason, userId });
  if (!(await deps.approvals.withdraw(denial, effects))) throw new AppError('denialNotFound');
  return showWithdrawal(deps, denial);
}

/** @param about.userId The person whose denial it is; null if they have no record here. */
function effectsOf(
  by: Person,
  about: { org: Organization; denial: LocatedDenial; reason: string; userId: string | null },
): Effects {
  const { org, denial, reason: setAsideReason, userId } = about;
  const people = { userId: by.userId, by, holder: denial };
  const entry = withdrawalEntry(org, denial, people, { reason: denial.reason, setAsideReason });
  const notice = { org: org.name, by: by.login, label: labelOf(denial), setAsideReason };
  return {
    activity: { ...entry, activity: 'denialSetAside' },
    notices: userId ? [{ kind: 'denialSetAside', userId, data: notice }] : [],
  };
}
