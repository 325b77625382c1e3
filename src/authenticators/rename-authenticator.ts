import { AppError } from '../app-error.ts';
import { type AuthenticatorType, authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { Session } from '../people/ports.ts';
import type { Credentials } from './ports.ts';

/**
 * Renames one of the person's own authenticators, if its kind can be renamed.
 *
 * @throws AppError `labelReadOnly`, `authenticatorNotFound`, `notYourAuthenticator`.
 */
export async function renameAuthenticator(
  deps: { credentials: Credentials },
  input: { session: Session; type: AuthenticatorType; id: string; label: string },
): Promise<void> {
  if (!authenticatorKinds[input.type].isRenamable) throw new AppError('labelReadOnly');
  const found = await deps.credentials.byId(input.id);
  if (!found) throw new AppError('authenticatorNotFound');
  if (found.userId !== input.session.userId) throw new AppError('notYourAuthenticator');
  if (!authenticatorKinds[found.type].isRenamable) throw new AppError('labelReadOnly');
  await deps.credentials.rename(found.id, input.label);
}
