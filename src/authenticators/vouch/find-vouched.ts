import type { Policy } from '../../contract/policy.ts';
import type { Organization, Role } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { readHolder } from '../effects.ts';
import type { Credential } from '../ports.ts';
import { findUnvouched } from '../trusted-authenticators.ts';

/** A credential that somebody is about to vouch for, and its holder. */
export type Vouched = { credential: Credential; holder: Session };

/**
 * Finds a credential of the organization that waits for this person's word.
 *
 * @param input.voucher The person and their role there.
 * @throws AppError `authenticatorNotFound`, `alreadyDecided`, `ownVouch`, `notVoucher`, and `otherDevice` for one
 *   that only its holder confirms.
 */
export async function findVouched(
  deps: AuthenticatorDeps,
  input: { org: Organization; policy: Policy; voucher: Session & { role: Role }; id: string },
): Promise<Vouched> {
  const { org, policy, voucher, id } = input;
  const credential = await deps.credentials.find(id);
  if (credential?.orgRecordId !== org.id) throw new AppError('authenticatorNotFound');
  requireMayVouch(policy, voucher, credential);
  const isWaiting = credential.pending !== '' || (await findUnvouched(deps, policy, [credential])).length > 0;
  if (!isWaiting) throw new AppError('alreadyDecided');
  return { credential, holder: await readHolder(deps, credential) };
}

function requireMayVouch(policy: Policy, voucher: Session & { role: Role }, credential: Credential): void {
  const isHolder = credential.userId === voucher.userId;
  if (credential.pending === 'device') {
    if (!isHolder) throw new AppError('otherDevice');
    return;
  }
  if (isHolder) throw new AppError('ownVouch');
  if (!mayVouch(policy, voucher.role)) throw new AppError('notVoucher');
}

/** Whether the policy lets a person with this role vouch for others. */
export const mayVouch = ({ enrolment }: Policy, role: Role): boolean =>
  role === 'admin' || enrolment.vouchers === 'members';
