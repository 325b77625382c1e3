import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Policy } from '../contract/policy.ts';
import { asksForExisting, hasVouch, isTrusted } from './is-trusted.ts';
import type { Credentials, Vouches } from './ports.ts';

/**
 * Requires that an owner who makes vouches necessary at once can still vouch for the others. If nobody could, every
 * authenticator of the organization would count for nothing, and nobody could take the change back.
 *
 * @throws AppError `wrongPolicy` if no passkey or security key of theirs would count.
 */
export async function requireOwnVouch(
  deps: { credentials: Pick<Credentials, 'list'>; vouches: Pick<Vouches, 'among'>; clock: Clock },
  { userId, orgRecordId, policy }: { userId: string; orgRecordId: string; policy: Policy },
): Promise<void> {
  if (!asksForExisting(policy) || isTrusted(policy, '', deps.clock.now())) return;
  const own = await deps.credentials.list(userId, orgRecordId);
  if (own.some(({ enrolled }) => hasVouch(enrolled))) return;
  if ((await deps.vouches.among(own.map(({ id }) => id))).size > 0) return;
  throw new AppError('wrongPolicy', {
    sentence:
      'enrolment.vouchExistingBy: Nobody vouched for a passkey or security key of yours, so none would count from that day on. Choose a later day.',
  });
}
