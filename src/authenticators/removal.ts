import type { Organization, Organizations, Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { StepUp } from '../contract/step-up.ts';
import { ownerOf } from './entry.ts';
import type { Owner } from './ports.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

export type RemovalDeps = StepUpDeps & { organizations: Organizations };

/** The record-store collections that authenticators stand in. */
export type AuthenticatorCollection = 'webauthn' | 'totps';

/**
 * Removes an authenticator of one's own, with a proof made for this removal.
 *
 * @throws AppError `authenticatorNotFound`, `foreignAuthenticator`,
 *   `stepUpRequired`, and the refusals of the step-up.
 */
export async function removeAuthenticator(
  deps: RemovalDeps,
  input: { person: Person; collection: AuthenticatorCollection; id: string; proof: StepUp | undefined },
): Promise<void> {
  const { person, collection, id, proof } = input;
  const found = await find(deps, collection, id);
  if (!found) throw new AppError('authenticatorNotFound');
  if (found.userId !== person.userId) throw new AppError('foreignAuthenticator');
  if (!proof)
    throw new AppError('stepUpRequired', {
      sentence: 'Confirm with an authenticator before you delete one.',
    });
  const org = await orgOf(deps, found.orgRecordId);
  await requireStepUp(deps, {
    session: person,
    org,
    action: { type: 'delete-authenticator', authenticatorID: id },
    proof,
  });
  if (!(await found.remove(ownerOf(person, org)))) throw new AppError('authenticatorNotFound');
  // Wrong codes were codes of the app that is gone; a key has said so, and a code cannot clear its own row.
  if (collection === 'totps' && proof.webauthn)
    await deps.codeFailures.clear(person.userId, found.orgRecordId);
}

type Removable = { userId: string; orgRecordId: string; remove(owner: Owner): Promise<boolean> };

async function find(
  deps: RemovalDeps,
  collection: AuthenticatorCollection,
  id: string,
): Promise<Removable | null> {
  if (collection === 'webauthn') {
    const found = await deps.credentials.byId(id);
    return found && { ...found, remove: (owner) => deps.credentials.remove(found, owner) };
  }
  const found = await deps.totpApps.byId(id);
  return found && { ...found, remove: (owner) => deps.totpApps.remove(found, owner) };
}

async function orgOf(deps: RemovalDeps, recordId: string): Promise<Organization> {
  const org = await deps.organizations.byId(recordId);
  if (!org) throw new AppError('installationNotFound');
  return org;
}
