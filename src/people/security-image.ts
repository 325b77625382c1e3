import type { ImageAnswer, SecurityImage } from '../contract/image.ts';
import type { Session, Users } from './ports.ts';

/** Sets the person's own security image. */
export async function setPersonalImage(
  deps: { users: Users },
  input: { session: Session; image: SecurityImage },
): Promise<ImageAnswer> {
  await deps.users.setImage(input.session.userId, input.image);
  return { image: input.image };
}
