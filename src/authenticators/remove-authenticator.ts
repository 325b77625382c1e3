import { AppError } from '../app-error.ts';
import type { AuthenticatorKind } from '../contract/authenticator-kinds.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { Members, Memberships, Organization, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Users } from '../people/ports.ts';
import { removalEffects } from './effects.ts';
import { findRemovable, type Removable } from './find-removable.ts';
import { holderOf } from './holder.ts';
import type { Holder, LostAuthenticator } from './ports.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

export type RemovalDeps = StepUpDeps & {
  organizations: Organizations;
  members: Members;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  users: Users;
  /** Withdraws the approvals made with a lost authenticator. Never rejects: the removal stored the loss, and a retry follows. */
  withdrawLost(lost: LostAuthenticator): Promise<void>;
};

/** The clocks of a browser and the server may differ by this much. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/**
 * Removes one of the person's own authenticators, or, for an owner of the
 * organization, a member's. The proof must be for this removal, and always by
 * an authenticator of the person who removes it.
 *
 * @param input.lostSince If it was lost or stolen: the approvals made with it
 *   since then are withdrawn.
 * @throws AppError `authenticatorNotFound`, `wrongLostSince`, `notYourAuthenticator`,
 *   `stepUpRequired`, and the refusals of the step-up.
 */
export async function removeAuthenticator(
  deps: RemovalDeps,
  input: {
    person: Person;
    collection: AuthenticatorKind['collection'];
    id: string;
    proof: StepUp | undefined;
    lostSince?: Date | undefined;
  },
): Promise<void> {
  const { person, collection, id, proof } = input;
  const found = await findRemovable(deps, collection, id);
  if (!found) throw new AppError('authenticatorNotFound');
  const org = await deps.organizations.byId(found.orgRecordId);
  if (!org) throw new AppError('installationNotFound');
  const isOwn = found.userId === person.userId;
  if (!isOwn) await requireOwnerToRemove(deps, person, org);
  const since = input.lostSince && requireLostSince(deps, found, input.lostSince);
  await requireRemovalProof(deps, { person, org, id, proof });

  const holder = holderOf(isOwn ? person : await readHolder(deps, found), org);
  const lost = since ? lostOf({ found, id, holder, since, by: person }) : null;
  const owners = lost ? await deps.memberships.ownersToNotify(org.id) : [];
  const effects = removalEffects(holder, found, person, lost && { since: lost.since, owners });
  if (!(await found.remove(holder, { effects, lost }))) throw new AppError('authenticatorNotFound');
  if (lost) await deps.withdrawLost(lost);
  // The failures were wrong codes of the removed app. If a code proved the removal, it cleared them itself.
  if (collection === 'totps' && (proof?.webauthn || !isOwn))
    await deps.codeFailures.clear(found.userId, found.orgRecordId);
}

/** @throws AppError `wrongLostSince` before the authenticator was added, or in the future. */
function requireLostSince({ clock }: RemovalDeps, { created }: Removable, since: Date): Date {
  const now = clock.now().getTime();
  if (since < created || since.getTime() > now + CLOCK_DIFFERENCE_MS) throw new AppError('wrongLostSince');
  return new Date(Math.min(since.getTime(), now));
}

async function readHolder({ users }: RemovalDeps, { userId }: Removable) {
  const [contact, githubId] = await Promise.all([users.contact(userId), users.githubIdOf(userId)]);
  return { userId, githubId, login: contact?.login ?? '' };
}

function lostOf(input: {
  found: Removable;
  id: string;
  holder: Holder;
  since: Date;
  by: Person;
}): LostAuthenticator {
  const { found, id, holder, since, by } = input;
  return {
    id,
    method: found.type,
    holder: { githubId: holder.githubId, login: holder.login },
    org: holder.org,
    since,
    by: { userId: by.userId, githubId: by.githubId, login: by.login },
  };
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
