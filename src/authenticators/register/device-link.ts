import type { DeviceLinkAnswer } from '../../contract/enrolment.ts';
import type { StepUp } from '../../contract/step-up.ts';
import { requireMember } from '../../organizations/require-role.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { secondDeviceUrl } from '../links.ts';
import { requireStepUp } from '../step-up/step-up.ts';

const LINK_LIFE_MS = 10 * 60_000;

/**
 * Makes a link that lets the person's other device register, once, within ten minutes, for this person and
 * organization. What it registers stays pending until this device confirms it.
 *
 * @throws AppError `stepUpRequired`, `deviceNeedsKey`, and the refusals of the membership and of the step-up.
 */
export async function makeDeviceLink(
  deps: AuthenticatorDeps,
  input: { person: Person; orgID: number; stepUp?: StepUp | undefined },
): Promise<DeviceLinkAnswer> {
  const { person, orgID, stepUp } = input;
  const org = await requireMember(deps, person, orgID);
  if (!stepUp) throw new AppError('stepUpRequired');
  // The first device confirms the other one with a signature.
  if ((await deps.credentials.list(person.userId, org.id)).length === 0) throw new AppError('deviceNeedsKey');
  await requireStepUp(deps, {
    session: person,
    org,
    action: { type: 'register-authenticator' },
    proof: stepUp,
  });
  const secret = Buffer.from(deps.random(32)).toString('base64url');
  const expires = new Date(deps.clock.now().getTime() + LINK_LIFE_MS);
  const hash = sha256Base64url(secret);
  await deps.deviceLinks.add({ hash, userId: person.userId, orgId: orgID, expires });
  return {
    url: secondDeviceUrl(deps.relyingParty.origin, { org: org.name, orgID, secret }),
    expires: expires.toISOString(),
  };
}
