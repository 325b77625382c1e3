import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { AppError } from '../app-error.ts';
import type { Clock, Random } from '../clock.ts';
import type { EmailPrecheckAnswer } from '../contract/email.ts';
import {
  type EmailCodes,
  type Mailer,
  MailRefused,
  type Place,
  type Quota,
  type Session,
  type Users,
} from './ports.ts';

const CODE_MS = 10 * 60_000;
const MOST_TRIES = 5;
/** For one person, and to one address whoever asks. */
const MAIL_RULE = { most: 3, ms: 60 * 60_000 };

export type EmailDeps = {
  users: Users;
  emailCodes: EmailCodes;
  quota: Quota;
  /** Null where no e-mail is sent. */
  mailer: Mailer | null;
  signEmail: SignEmail;
  clock: Clock;
  random: Random;
};

/** Binds a code to the person and the address that it was made for; base64url. */
export type SignEmail = (parts: {
  userId: string;
  email: string;
  ts: number;
  nonce: string;
  code: string;
}) => string;

/** HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`. */
export function createSignEmail(secretKey: string): SignEmail {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'otp-guard:email-code:v1', 32));
  return ({ userId, email, ts, nonce, code }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, email, ts, nonce, code]))
      .digest('base64url');
}

/**
 * Sends a six-digit code to the address. What comes back is the same whether or
 * not anybody has this address here.
 *
 * @throws AppError `mailNotSetUp`, `tooManyMails`, `mailFailed`; the address
 *   that was confirmed before stays.
 */
export async function sendEmailCode(
  deps: EmailDeps,
  input: { session: Session; email: string },
): Promise<EmailPrecheckAnswer> {
  const { session, email } = input;
  if (!deps.mailer) throw new AppError('mailNotSetUp');
  const now = deps.clock.now();
  const places = await takePlaces(deps, [`mail:${session.userId}`, `mail:${mailbox(email)}`], now);
  const ts = now.getTime();
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const nonce = Buffer.from(deps.random(16)).toString('base64url');
  const sig = deps.signEmail({ userId: session.userId, email, ts, nonce, code });
  await deps.emailCodes.add({
    sig,
    userId: session.userId,
    email,
    ts,
    nonce,
    expires: new Date(ts + CODE_MS),
  });
  const message = {
    to: email,
    subject: 'Your OTP Guard code',
    text: [
      `${code} is your code.`,
      `It confirms this address for ${session.login} at OTP Guard, and holds for 10 minutes.`,
      'If you did not ask for it, you need not do anything: without the code nothing changes.',
    ].join('\n\n'),
    // Nobody has shown that this address is the person's, and the image is what they know us by.
    image: null,
  };
  await deps.mailer.send(message).catch(async (cause: unknown) => {
    if (cause instanceof MailRefused) throw new AppError('mailRefused', { cause });
    for (const place of places) await place.giveBack();
    throw new AppError('mailFailed', { cause });
  });
  return { ts, sig };
}

/**
 * Makes the address the person's own, where the code is the one that was sent
 * there for this person. A code has five tries, ten minutes and one use.
 *
 * @throws AppError `emailCodeUnknown`, `tooManyCodeTries`, `wrongEmailCode`.
 */
export async function confirmEmail(
  deps: EmailDeps,
  input: { session: Session; email: string; ts: number; sig: string; code: string },
): Promise<void> {
  const { session, email, ts, sig, code } = input;
  const sent = await deps.emailCodes.find(sig);
  const isOurs = sent?.userId === session.userId && sent.email === email && sent.ts === ts;
  if (!sent || !isOurs || sent.expires <= deps.clock.now()) throw new AppError('emailCodeUnknown');
  if (!(await deps.emailCodes.takeTry(sent, MOST_TRIES))) throw new AppError('tooManyCodeTries');
  const right = deps.signEmail({ userId: session.userId, email, ts, nonce: sent.nonce, code });
  if (!timingSafeEqual(Buffer.from(right), Buffer.from(sig))) throw new AppError('wrongEmailCode');
  if (!(await deps.emailCodes.spend(sent))) throw new AppError('emailCodeUnknown');
  await deps.users.setAddress(session.userId, email);
}

/** One name for the ways in which an address can be written. */
function mailbox(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@');
  return `${local}@${domainToASCII(domain)}`;
}

async function takePlaces(deps: EmailDeps, keys: string[], now: Date): Promise<Place[]> {
  const places: Place[] = [];
  for (const key of keys) {
    const taken = await deps.quota.take(key, MAIL_RULE, now);
    if (taken instanceof Date) {
      for (const place of places) await place.giveBack();
      throw tooManyMails(taken, now);
    }
    places.push(taken);
  }
  return places;
}

function tooManyMails(next: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('tooManyMails', {
    sentence: `Too many e-mails. Try again in ${wait}.`,
    retryAfter: seconds,
  });
}
