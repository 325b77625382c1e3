import type { DeviceLinkAnswer } from '../../contract/enrolment.ts';
import type { StepUp } from '../../contract/step-up.ts';
import type { Organization } from '../../organizations/ports.ts';
import { requireMember } from '../../organizations/require-role.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { Clock } from '../../shared/clock.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import { secondDeviceUrl } from '../../shared/links.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { DeviceLink, DeviceLinks } from '../ports.ts';
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
  input: { person: Person; orgID: number; proof: StepUp | undefined },
): Promise<DeviceLinkAnswer> {
  const { person, orgID, proof } = input;
  const org = await requireMember(deps, person, orgID);
  if (!proof) throw new AppError('stepUpRequired');
  // The first device confirms the other one with a signature.
  if ((await deps.credentials.list(person.userId, org.id)).length === 0) throw new AppError('deviceNeedsKey');
  await requireStepUp(deps, { session: person, org, action: { type: 'register-authenticator' }, proof });
  const secret = Buffer.from(deps.random(32)).toString('base64url');
  const expires = new Date(deps.clock.now().getTime() + LINK_LIFE_MS);
  const hash = sha256Base64url(secret);
  await deps.deviceLinks.add({ hash, userId: person.userId, orgId: orgID, expires });
  return {
    url: secondDeviceUrl(deps.relyingParty.origin, { org: org.name, orgID, secret }),
    expires: expires.toISOString(),
  };
}

/**
 * Finds the link of this secret. It isn't used up yet.
 *
 * @throws AppError `deviceLinkUnknown` if it's too old, or for another person or organization.
 */
export async function findDeviceLink(
  deps: { deviceLinks: DeviceLinks; clock: Clock },
  input: { person: Pick<Session, 'userId'>; org: Pick<Organization, 'orgId'>; secret: string },
): Promise<DeviceLink> {
  const link = await deps.deviceLinks.find(sha256Base64url(input.secret));
  const isTheirs = link?.userId === input.person.userId && link.orgId === input.org.orgId;
  if (!link || !isTheirs || link.expires <= deps.clock.now()) throw new AppError('deviceLinkUnknown');
  return link;
}
