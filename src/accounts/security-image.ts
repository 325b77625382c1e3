import type { ImageAnswer, SecurityImage } from '../contract/image.ts';
import { requireOwner } from './membership.ts';
import type { Members, Organizations, Session, Users } from './ports.ts';

/** Sets the person's own security image. */
export async function setPersonalImage(
  deps: { users: Users },
  input: { session: Session; image: SecurityImage },
): Promise<ImageAnswer> {
  await deps.users.setImage(input.session.userId, input.image);
  return { image: input.image };
}

/**
 * Sets an organization's security image; it is logged.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function setOrganizationImage(
  deps: { organizations: Organizations; members: Members },
  input: { session: Session; orgID: number; image: SecurityImage },
): Promise<ImageAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  await deps.organizations.setImage(org, input.image, input.session);
  return { image: input.image };
}
