import { AppError } from '../../shared/app-error.ts';
import type { Credential, Credentials } from '../ports.ts';

/** The refusal of a person who has no authenticator that counts, with what keeps it from counting. */
export async function withoutAuthenticator(
  credentials: Pick<Credentials, 'all'>,
  userId: string,
  orgRecordId: string,
): Promise<AppError> {
  const [one] = (await credentials.all(userId, orgRecordId)).sort(pendingFirst);
  if (!one) return new AppError('missingAuthenticator');
  return new AppError(whyItIsNotListed(one));
}

/** Why this authenticator of the person isn't in the list of those that count. */
export const whyItIsNotListed = ({ pending }: Credential): 'pendingAuthenticator' | 'vouchNeeded' =>
  pending === '' ? 'vouchNeeded' : 'pendingAuthenticator';

const pendingFirst = (one: Credential, other: Credential) =>
  Number(other.pending !== '') - Number(one.pending !== '');
