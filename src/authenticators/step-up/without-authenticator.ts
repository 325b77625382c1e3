import type { Policy } from '../../contract/policy.ts';
import { problems } from '../../contract/problems.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AuthenticatorDeps } from '../deps.ts';
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

const NEEDS_MAIL = `Your first authenticator here needs a code by e-mail. ${problems.mailNotSetUp[1]}`;

/**
 * Why nobody can register a first authenticator here, for a person who has none, as a sentence; else null.
 *
 * @param input.onlyCodes Whether the person's browser can only do one-time codes.
 */
export async function firstOneObstacle(
  { mailer, totpApps }: AuthenticatorDeps,
  input: { policy: Policy; userId: string; orgRecordId: string; onlyCodes: boolean },
): Promise<string | null> {
  const { mode } = input.policy.enrolment;
  const needsKey = mode === 'vouched' && input.onlyCodes;
  if (!needsKey && (mode !== 'email' || mailer)) return null;
  if (await totpApps.find(input.userId, input.orgRecordId)) return null;
  return needsKey ? problems.codesCantBeFirst[1] : NEEDS_MAIL;
}
