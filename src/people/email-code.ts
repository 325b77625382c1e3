import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { EmailCodeProof, EmailPrecheckAnswer } from '../contract/email.ts';
import { type MailMessage, MailRefused, type NewNotice } from '../notices/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { inWords, type QuotaSlot } from '../shared/limits.ts';
import type { PeopleDeps } from './deps.ts';
import type { EmailCode, Session, SignEmailCode } from './ports.ts';

const CODE_LIFE_MS = 10 * 60_000;
/** The limit for one person, and for one address regardless of who enters it. */
const MAIL_RULE = { most: 3, ms: 60 * 60_000 };

/**
 * Sends a six-digit code to the address. The answer doesn't reveal whether
 * a person has this address here.
 *
 * @param input.org The organization that the code enrols in; without it, it confirms the address of notices.
 * @throws AppError `mailNotSetUp`, `tooManyMails`, `mailRefused`, `mailFailed`;
 *   the person's confirmed address doesn't change.
 */
export async function sendEmailCode(
  deps: PeopleDeps,
  input: { session: Session; email: string; org?: { orgId: number; name: string } },
): Promise<EmailPrecheckAnswer> {
  const { session, email, org } = input;
  const orgId = org?.orgId ?? 0;
  if (!deps.mailer) throw new AppError('mailNotSetUp');
  const slots = await takeSlots(deps, [`mail:${session.userId}`, `mail:${mailboxOf(email)}`]);
  const ts = deps.clock.now().getTime();
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const nonce = Buffer.from(deps.random(16)).toString('base64url');
  const sig = deps.signEmail({ userId: session.userId, email, orgId, ts, nonce, code });
  const expires = new Date(ts + CODE_LIFE_MS);
  await deps.emailCodes.add({ sig, userId: session.userId, email, orgId, ts, nonce, expires });
  await deps.mailer.send(codeMessage({ session, email, code, org })).catch(async (cause: unknown) => {
    if (cause instanceof MailRefused) throw new AppError('mailRefused', { cause });
    for (const slot of slots) await slot.release();
    throw new AppError('mailFailed', { cause });
  });
  return { ts, sig };
}

function codeMessage(input: {
  session: Session;
  email: string;
  code: string;
  org: { name: string } | undefined;
}): MailMessage {
  const { session, email, code, org } = input;
  const use = org
    ? `Enter it to register an authenticator for ${session.login} in ${org.name} at OTP Guard`
    : `Enter it to confirm this address for ${session.login} at OTP Guard`;
  return {
    to: email,
    subject: 'Your OTP Guard code',
    parts: [
      { role: 'heading', text: `${code} is your code.` },
      `${use}. It expires in 10 minutes.`,
      'If you didn’t request it, ignore this e-mail: nothing changes without the code.',
    ],
    org: org?.name ?? null,
    unsubscribeUrl: null,
    // The address isn't confirmed yet, and only the person may see the image by which they recognize us.
    image: null,
  };
}

/** Takes a slot for each key, or none at all. */
async function takeSlots(deps: PeopleDeps, keys: string[]): Promise<QuotaSlot[]> {
  const now = deps.clock.now();
  const slots: QuotaSlot[] = [];
  for (const key of keys) {
    const slot = await deps.quota.take(key, MAIL_RULE, now);
    if (slot instanceof Date) {
      for (const taken of slots) await taken.release();
      throw tooManyMails(slot, now);
    }
    slots.push(slot);
  }
  return slots;
}

function tooManyMails(nextSlot: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((nextSlot.getTime() - now.getTime()) / 1000));
  return new AppError('tooManyMails', {
    sentence: `Too many e-mails. Try again in ${inWords(seconds)}.`,
    retryAfter: seconds,
  });
}

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

/** HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`. */
export function createSignEmailCode(secretKey: string): SignEmailCode {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'otp-guard:email-code:v1', 32));
  return ({ userId, email, orgId, ts, nonce, code }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, email, orgId, ts, nonce, code]))
      .digest('base64url');
}

/** The ASCII form of a domain in any script; empty if it isn't one. */
export const asciiDomain = domainToASCII;

/** Writes an address in one way, whichever way it was entered. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@');
  return `${local}@${asciiDomain(domain)}`;
}
