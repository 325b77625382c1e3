import { catalogue } from '../app-error.ts';
import type { Policy } from '../contract/policy.ts';
import type { SendEmailCodeDeps } from '../people/send-email-code.ts';
import type { TotpApps } from './ports.ts';

export type FirstOneDeps = Pick<SendEmailCodeDeps, 'mailer'> & { totpApps: TotpApps };

const NEEDS_MAIL = `Your first authenticator here needs a code by e-mail. ${catalogue.mailNotSetUp[1]}`;

/** Why nobody can register a first authenticator here, for a person who has none, as a sentence; else null. */
export async function firstOneObstacle(
  { mailer, totpApps }: FirstOneDeps,
  { policy, userId, orgRecordId }: { policy: Policy; userId: string; orgRecordId: string },
): Promise<string | null> {
  if (mailer || policy.enrolment.mode !== 'email') return null;
  return (await totpApps.find(userId, orgRecordId)) ? null : NEEDS_MAIL;
}
