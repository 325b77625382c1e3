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

type Input = {
  policy: Policy;
  userId: string;
  orgRecordId: string;
  /** Whether the person's browser can only do one-time codes. */
  onlyCodes: boolean;
};

/** Why nobody can register a first authenticator here, for a person who has none, as a sentence; else null. */
export async function firstOneObstacle(
  { mailer, totpApps }: AuthenticatorDeps,
  { policy, userId, orgRecordId, onlyCodes }: Input,
): Promise<string | null> {
  const obstacle = obstacleIn(policy, { hasMail: mailer !== undefined && mailer !== null, onlyCodes });
  return obstacle !== null && (await totpApps.find(userId, orgRecordId)) ? null : obstacle;
}

function obstacleIn(
  { enrolment }: Policy,
  { hasMail, onlyCodes }: { hasMail: boolean; onlyCodes: boolean },
): string | null {
  if (enrolment.mode === 'vouched' && onlyCodes) return problems.codesCantBeFirst[1];
  return enrolment.mode === 'email' && !hasMail ? NEEDS_MAIL : null;
}
