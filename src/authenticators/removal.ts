import { requireOwner } from '../accounts/membership.ts';
import type { Members, Organization, Organizations, Person, Users } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { StepUp } from '../contract/step-up.ts';
import { ownerOf } from './entry.ts';
import type { Owner, Remover } from './ports.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

export type RemovalDeps = StepUpDeps & { organizations: Organizations; members: Members; users: Users };

/** The record-store collections that authenticators stand in. */
export type AuthenticatorCollection = 'webauthn' | 'totps';

/**
 * Removes an authenticator with a proof made for this removal: one of one's
 * own, or, for an owner of the organization, a member's. The proof is always by
 * an authenticator of whoever removes it.
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
  const org = await orgOf(deps, found.orgRecordId);
  const isOwn = found.userId === person.userId;
  if (!isOwn) await requireOwnerOf(deps, person, org);
  if (!proof)
    throw new AppError('stepUpRequired', {
      sentence: 'Confirm with an authenticator before you delete one.',
    });
  await requireStepUp(deps, {
    session: person,
    org,
    action: { type: 'delete-authenticator', authenticatorID: id },
    proof,
  });
  const login = isOwn ? person.login : (await deps.users.contact(found.userId))?.login;
  const owner = ownerOf({ userId: found.userId, login: login ?? '' }, org);
  if (!(await found.remove(owner, person))) throw new AppError('authenticatorNotFound');
  // Wrong codes were codes of the app that is gone; a key or an owner has said so, and a code cannot clear its own row.
  if (collection === 'totps' && (proof.webauthn || !isOwn))
    await deps.codeFailures.clear(found.userId, found.orgRecordId);
}

/** To everyone else a member's authenticator is just not theirs. */
async function requireOwnerOf(deps: RemovalDeps, person: Person, org: Organization): Promise<void> {
  await requireOwner(deps, person, org.orgId).catch((error: unknown) => {
    const isNotOwner = error instanceof AppError && error.code === 'notOwner';
    throw isNotOwner ? new AppError('foreignAuthenticator') : error;
  });
}

type Removable = { userId: string; orgRecordId: string; remove(owner: Owner, by: Remover): Promise<boolean> };

async function find(
  deps: RemovalDeps,
  collection: AuthenticatorCollection,
  id: string,
): Promise<Removable | null> {
  if (collection === 'webauthn') {
    const found = await deps.credentials.byId(id);
    return found && { ...found, remove: (owner, by) => deps.credentials.remove(found, owner, by) };
  }
  const found = await deps.totpApps.byId(id);
  return found && { ...found, remove: (owner, by) => deps.totpApps.remove(found, owner, by) };
}

async function orgOf(deps: RemovalDeps, recordId: string): Promise<Organization> {
  const org = await deps.organizations.byId(recordId);
  if (!org) throw new AppError('installationNotFound');
  return org;
}
