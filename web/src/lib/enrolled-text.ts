import type { Authenticator } from './authenticator.ts';
import { addedWithText } from './proof-text.ts';

const ENROLLED: Record<Authenticator['enrolled'], string> = {
  '': '',
  open: 'Began with a GitHub sign\u2011in',
  email: 'Began with a company address',
  vouched: 'Vouched for',
  operator: 'Confirmed by the operator',
};

/**
 * How an authenticator came in: with which one of its holder's it was added, and how that one began; what a first one
 * was enrolled with; or what it waits for.
 *
 * @param userId The record id of the person who reads it.
 */
export function enrolledText(authenticator: Authenticator, userId: string): string {
  const { pending, enrolled, addedWith } = authenticator;
  if (pending === 'vouch') return 'Waits for a vouch';
  if (pending === 'device') return 'Waits for your confirmation';
  const added = addedWithText({ enrolled, addedWith, vouchedBy: [] }, authenticator.userId === userId);
  return added === null ? ENROLLED[enrolled] : `Added with ${added}`;
}
