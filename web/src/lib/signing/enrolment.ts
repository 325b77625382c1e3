import type { EnrolmentAnswer, OwnWaiting } from '../../../../src/contract/enrolment.ts';
import type { Poster } from '../api/api-client.ts';
import { addedWithText } from '../proof-text.ts';
import { dayOf } from '../times.ts';
import type { Authenticator } from './authenticator.ts';

/** Reads how an organization guards first authenticators, and who waits there. Rejects with an `ApiError`. */
export const readEnrolment = (api: Poster, orgID: string): Promise<EnrolmentAnswer> =>
  api.post('/organization-enrolment', { orgID });

/** The person's own authenticator that counts for nothing until it's confirmed; null if there is none. */
export const pendingOf = ({ own }: Pick<EnrolmentAnswer, 'own'>): OwnWaiting | null =>
  own.find(({ waitsFor }) => waitsFor !== 'existing') ?? null;

/** Tells whether an authenticator enrolled before the organization asked for vouches still counts on this day (UTC). */
export const stillCounts = (vouchExistingBy: string, now: number): boolean =>
  dayOf(new Date(now).toISOString()) < vouchExistingBy;

/** Says whom the person asks for a vouch. */
export const voucherText = ({ vouchers }: Pick<EnrolmentAnswer, 'vouchers'>, org: string): string =>
  vouchers === 'owners' ? `an owner of ${org}` : `a member of ${org} who has a passkey or security key`;

const ENROLLED: Record<Authenticator['enrolled'], string> = {
  '': '',
  open: 'Began with a GitHub sign\u2011in',
  email: 'Began with a company address',
  vouched: 'Vouched for',
  operator: 'Confirmed by the operator',
};

/**
 * Says how an authenticator was enrolled: with which other one of its holder's, and how that one began; what a first
 * one was enrolled with; or what it waits for.
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
