import { AppError } from '../app-error.ts';
import type { AuthenticatorKind } from '../contract/authenticator-kinds.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { Members, Organization, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Users } from '../people/ports.ts';
import { removalEffects } from './effects.ts';
import { findRemovable } from './find-removable.ts';
import { holderOf } from './holder.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

export type RemovalDeps = StepUpDeps & { organizations: Organizations; members: Members; users: Users };

/**
 * Removes one of the person's own authenticators, or, for an owner of the
 * organization, a member's. The proof must be for this removal, and always by
 * an authenticator of the person who removes it.
 *
 * @throws AppError `authenticatorNotFound`, `notYourAuthenticator`,
 *   `stepUpRequired`, and the refusals of the step-up.
 */
export async function removeAuthenticator(
  deps: RemovalDeps,
  input: {
    person: Person;
    collection: AuthenticatorKind['collection'];
    id: string;
    proof: StepUp | undefined;
  },
): Promise<void> {
  const { person, collection, id, proof } = input;
  const found = await findRemovable(deps, collection, id);
  if (!found) throw new AppError('authenticatorNotFound');
  const org = await deps.organizations.byId(found.orgRecordId);
  if (!org) throw new AppError('installationNotFound');
  const isOwn = found.userId === person.userId;
  if (!isOwn) await requireOwnerToRemove(deps, person, org);
  await requireRemovalProof(deps, { person, org, id, proof });

  const login = isOwn ? person.login : (await deps.users.contact(found.userId))?.login;
  const holder = holderOf({ userId: found.userId, login: login ?? '' }, org);
  if (!(await found.remove(holder, removalEffects(holder, found, person))))
    throw new AppError('authenticatorNotFound');
  // The failures were wrong codes of the removed app. If a code proved the removal, it cleared them itself.
  if (collection === 'totps' && (proof?.webauthn || !isOwn))
    await deps.codeFailures.clear(found.userId, found.orgRecordId);
}

/** People who aren't owners get the same refusal as for any authenticator that isn't theirs. */
async function requireOwnerToRemove(deps: RemovalDeps, person: Person, org: Organization): Promise<void> {
  await requireOwner(deps, person, org.orgId).catch((error: unknown) => {
    const isNotOwner = error instanceof AppError && error.code === 'notOwner';
    throw isNotOwner ? new AppError('notYourAuthenticator') : error;
  });
}

async function requireRemovalProof(
  deps: RemovalDeps,
  input: { person: Person; org: Organization; id: string; proof: StepUp | undefined },
): Promise<void> {
  const { person, org, id, proof } = input;
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
}
