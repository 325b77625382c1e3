import { accountOf } from '../audit/subjects.ts';
import type { ImageAnswer, SecurityImage } from '../contract/image.ts';
import type { Session } from '../people/ports.ts';
import { type RoleDeps, requireOwner } from './require-role.ts';

/**
 * Sets an organization's security image and logs it.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function setOrganizationImage(
  deps: RoleDeps,
  input: { session: Session; orgID: number; image: SecurityImage },
): Promise<ImageAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const { userId, login } = input.session;
  await deps.organizations.setImage(org, input.image, {
    activity: 'setOrgImage',
    userId,
    orgRecordId: org.id,
    data: { login, org: org.name },
    personFacts: { by: accountOf(input.session) },
  });
  return { image: input.image };
}
