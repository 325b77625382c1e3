import { credentialSubject } from '../audit/subjects.ts';
import { type AuthenticatorType, authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorDeps } from './deps.ts';
import { holderOf, renameEffects } from './effects.ts';
import type { Credential, Credentials } from './ports.ts';

type Input = { session: Session; type: AuthenticatorType; id: string; label: string };

/**
 * Renames one of the person's own authenticators, if its kind can be renamed.
 * The label that it already has changes nothing, and nothing is logged.
 *
 * @throws AppError `labelReadOnly`, `authenticatorNotFound`, `notYourAuthenticator`.
 */
export async function renameAuthenticator(deps: AuthenticatorDeps, input: Input): Promise<void> {
  const { session, label } = input;
  const found = await findOwn(deps.credentials, input);
  if (found.label === label) return;
  const org = await deps.organizations.byId(found.orgRecordId);
  if (!org) throw new AppError('installationNotFound');
  const known = { type: found.type, label, subject: credentialSubject(found.keyId) };
  const effects = renameEffects(holderOf(session, org), known, found.label);
  if (!(await deps.credentials.rename(found.id, label, effects))) throw new AppError('authenticatorNotFound');
}

async function findOwn(credentials: Credentials, { session, type, id }: Input): Promise<Credential> {
  if (!authenticatorKinds[type].isRenamable) throw new AppError('labelReadOnly');
  const found = await credentials.byId(id);
  if (!found) throw new AppError('authenticatorNotFound');
  if (found.userId !== session.userId) throw new AppError('notYourAuthenticator');
  if (!authenticatorKinds[found.type].isRenamable) throw new AppError('labelReadOnly');
  return found;
}
