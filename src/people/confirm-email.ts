import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { NewNotice } from '../notices/ports.ts';
import type { EmailCodes, Session, Users } from './ports.ts';
import type { SignEmailCode } from './sign-email-code.ts';

const MOST_TRIES = 5;

export type ConfirmEmailDeps = {
  users: Users;
  emailCodes: EmailCodes;
  signEmail: SignEmailCode;
  clock: Clock;
};

/**
 * Confirms the person's address with the code that was sent to it. A code has
 * five tries, ten minutes and one use.
 *
 * @throws AppError `emailCodeUnknown`, `tooManyEmailCodes`, `wrongEmailCode`.
 */
export async function confirmEmail(
  deps: ConfirmEmailDeps,
  input: { session: Session; email: string; ts: number; sig: string; code: string },
): Promise<void> {
  const { session, email, ts, sig, code } = input;
  const sent = await deps.emailCodes.find(sig);
  const isBound = sent?.userId === session.userId && sent.email === email && sent.ts === ts;
  if (!sent || !isBound || sent.expires <= deps.clock.now()) throw new AppError('emailCodeUnknown');
  // Read before the code is used up: if the store fails here, the code still works.
  const previous = (await deps.users.contact(session.userId))?.address ?? '';
  if (!(await deps.emailCodes.takeTry(sent, MOST_TRIES))) throw new AppError('tooManyEmailCodes');
  const expected = deps.signEmail({ userId: session.userId, email, ts, nonce: sent.nonce, code });
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(sig))) throw new AppError('wrongEmailCode');
  if (!(await deps.emailCodes.consume(sent))) throw new AppError('emailCodeUnknown');
  const notice = { userId: session.userId, data: { login: session.login } };
  const notices: NewNotice[] = [{ ...notice, kind: 'addressConfirmed', to: email }];
  if (previous && previous !== email) notices.push({ ...notice, kind: 'addressReplaced', to: previous });
  await deps.users.setAddress(session.userId, email, notices);
}
