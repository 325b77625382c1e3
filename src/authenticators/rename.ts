import type { Session } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { AuthenticatorType } from '../contract/authenticators.ts';
import type { Credentials } from './ports.ts';

/**
 * Gives a security key of one's own another label; other kinds keep theirs.
 *
 * @throws AppError `labelReadOnly`, `authenticatorNotFound`, `foreignAuthenticator`.
 */
export async function renameAuthenticator(
  deps: { credentials: Credentials },
  input: { session: Session; type: AuthenticatorType; id: string; label: string },
): Promise<void> {
  if (input.type !== 'security-key') throw new AppError('labelReadOnly');
  const found = await deps.credentials.byId(input.id);
  if (!found) throw new AppError('authenticatorNotFound');
  if (found.userId !== input.session.userId) throw new AppError('foreignAuthenticator');
  if (found.type !== 'security-key') throw new AppError('labelReadOnly');
  await deps.credentials.rename(found.id, input.label);
}
