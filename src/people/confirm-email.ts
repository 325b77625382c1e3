import type { EmailCodeProof } from '../contract/email.ts';
import type { NewNotice } from '../notices/ports.ts';
import { type CheckEmailCodeDeps, checkEmailCode, consumeEmailCode } from './check-email-code.ts';
import type { Session, Users } from './ports.ts';

export type ConfirmEmailDeps = CheckEmailCodeDeps & { users: Users };

/**
 * Confirms the person's address for notices with the code that was sent to it.
 *
 * @throws AppError with each refusal of the code.
 */
export async function confirmEmail(
  deps: ConfirmEmailDeps,
  { session, ...proof }: { session: Session } & EmailCodeProof,
): Promise<void> {
  const { email } = proof;
  // Read before the code is used up: if the store fails here, the code still works.
  const previous = (await deps.users.contact(session.userId))?.address ?? '';
  await consumeEmailCode(deps, await checkEmailCode(deps, { session, orgId: 0, proof }));
  const notice = { userId: session.userId, data: { login: session.login } };
  const notices: NewNotice[] = [{ ...notice, kind: 'addressConfirmed', to: email }];
  if (previous && previous !== email) notices.push({ ...notice, kind: 'addressReplaced', to: previous });
  await deps.users.setAddress(session.userId, email, notices);
}
