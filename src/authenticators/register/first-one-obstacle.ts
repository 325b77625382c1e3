import type { Policy } from '../../contract/policy.ts';
import { problems } from '../../contract/problems.ts';
import type { AuthenticatorDeps } from '../deps.ts';

const NEEDS_MAIL = `Your first authenticator here needs a code by e-mail. ${problems.mailNotSetUp[1]}`;

/**
 * Why nobody can register a first authenticator here, for a person who has none, as a sentence; else null.
 *
 * @param input.onlyCodes Whether the person's browser can only do one-time codes.
 */
export async function firstOneObstacle(
  { mailer, totpApps }: Pick<AuthenticatorDeps, 'mailer' | 'totpApps'>,
  input: { policy: Policy; userId: string; orgRecordId: string; onlyCodes: boolean },
): Promise<string | null> {
  const { mode } = input.policy.enrolment;
  const needsKey = mode === 'vouched' && input.onlyCodes;
  if (!needsKey && (mode !== 'email' || mailer)) return null;
  if (await totpApps.find(input.userId, input.orgRecordId)) return null;
  return needsKey ? problems.codesCantBeFirst[1] : NEEDS_MAIL;
}
