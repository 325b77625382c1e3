import { timingSafeEqual } from 'node:crypto';
import type { EmailCodeProof } from '../contract/email.ts';
import type { NewNotice } from '../notices/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { EmailCode, Session } from './ports.ts';
import type { PeopleDeps } from './send-email-code.ts';

/**
 * Confirms the person's address for notices with the code that was sent to it.
 *
 * @throws AppError with each refusal of the code.
 */
export async function confirmEmail(
  deps: PeopleDeps,
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

const MOST_TRIES = 5;

/**
 * Checks a code that was e-mailed to this person for this purpose. A code has
 * five tries and ten minutes.
 *
 * @param input.orgId The organization that it enrols in, by GitHub's id; 0 for the address of notices.
 * @throws AppError `emailCodeUnknown`, `tooManyEmailCodes`, `wrongEmailCode` with the tries that are left.
 */
export async function checkEmailCode(
  deps: PeopleDeps,
  input: { session: Pick<Session, 'userId'>; orgId: number; proof: EmailCodeProof },
): Promise<EmailCode> {
  const { orgId, proof } = input;
  const { email, ts, sig, code } = proof;
  const { userId } = input.session;
  const sent = await deps.emailCodes.find(sig);
  const isBound = sent?.userId === userId && sent.orgId === orgId && sent.email === email && sent.ts === ts;
  if (!sent || !isBound || sent.expires <= deps.clock.now()) throw new AppError('emailCodeUnknown');
  const triesLeft = await deps.emailCodes.takeTry(sent, MOST_TRIES);
  if (triesLeft === null) throw new AppError('tooManyEmailCodes');
  const expected = deps.signEmail({ userId, email, orgId, ts, nonce: sent.nonce, code });
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(sig)))
    throw new AppError('wrongEmailCode', { triesLeft });
  return sent;
}

/** @throws AppError `emailCodeUnknown` if it was used before. */
export async function consumeEmailCode(deps: PeopleDeps, code: EmailCode): Promise<void> {
  if (!(await deps.emailCodes.consume(code))) throw new AppError('emailCodeUnknown');
}
