import { credentialSubject, recordSubject } from '../audit/subjects.ts';
import type { AuthenticatorKind, AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { LostApprovals } from '../contract/authenticators.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorCallDeps } from './call-deps.ts';
import type { AuthenticatorDeps } from './deps.ts';
import { holderOf, readHolder, removalEffects } from './effects.ts';
import type { Holder, LostAuthenticator, RemovalRecord, TotpApp } from './ports.ts';
import { requireProof, requireStepUp } from './step-up/step-up.ts';

type Deps = AuthenticatorDeps & Pick<AuthenticatorCallDeps, 'countLost' | 'withdrawLost'>;

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
 *   `stepUpRequired`, and the refusals of the step-up. `lossUnfinished` after the removal, if approvals are left.
 */
export async function removeAuthenticator(
  deps: Deps,
  input: {
    person: Person;
    collection: AuthenticatorKind['collection'];
    id: string;
    proof: StepUp | undefined;
    lostSince?: Date | undefined;
  },
): Promise<void> {
  const { person, collection, id, proof } = input;
  const { found, org, holder, isOwn } = await requireRemovable(deps, person, { collection, id });
  const since = input.lostSince && requireLostSince(deps, found, input.lostSince);
  await requireStepUp(deps, {
    session: person,
    org,
    action: { type: 'delete-authenticator', authenticatorID: id },
    proof: requireProof(proof, 'delete one'),
  });

  const lost = since ? lostOf({ found, holder, since, by: person }) : null;
  const loss = lost && {
    since: lost.since,
    owners: await deps.memberships.ownersToNotify(org.id),
    approvals: (await deps.countLost(lost)).approvals,
  };
  const effects = removalEffects(holder, found, person, loss);
  if (!(await found.remove(holder, { effects, lost }))) throw new AppError('authenticatorNotFound');
  const isWithdrawn = lost === null || (await deps.withdrawLost(lost));
  // The failures were wrong codes of the removed app. If a code proved the removal, it cleared them itself.
  if (collection === 'totps' && (proof?.webauthn || !isOwn))
    await deps.codeFailures.clear(found.userId, found.orgRecordId);
  if (!isWithdrawn) throw new AppError('lossUnfinished');
}

/**
 * Counts what the removal of this authenticator as lost or stolen would withdraw, for those who may remove it.
 *
 * @throws AppError `authenticatorNotFound`, also in another organization, `wrongLostSince`, `notYourAuthenticator`.
 */
export async function previewLoss(
  deps: Deps,
  input: {
    session: Session;
    orgID: number;
    collection: AuthenticatorKind['collection'];
    id: string;
    since: Date;
  },
): Promise<LostApprovals> {
  const { session, orgID, collection, id } = input;
  const { found, org, holder } = await requireRemovable(deps, session, { collection, id });
  if (org.orgId !== orgID) throw new AppError('authenticatorNotFound');
  const since = requireLostSince(deps, found, input.since);
  return deps.countLost(lostOf({ found, holder, since, by: session }));
}

/** @throws AppError `authenticatorNotFound`, `notYourAuthenticator`, and the refusals of `requireOwner`. */
async function requireRemovable(
  deps: Deps,
  person: Session,
  { collection, id }: { collection: AuthenticatorKind['collection']; id: string },
): Promise<{ found: Removable; org: Organization; holder: Holder; isOwn: boolean }> {
  const found = await findRemovable(deps, collection, id);
  if (!found) throw new AppError('authenticatorNotFound');
  const org = await deps.organizations.byId(found.orgRecordId);
  if (!org) throw new AppError('installationNotFound');
  const isOwn = found.userId === person.userId;
  if (!isOwn)
    await requireOwner(deps, person, org.orgId).catch((error: unknown) => {
      // People who aren't owners get the same refusal as for any authenticator that isn't theirs.
      const isNotOwner = error instanceof AppError && error.code === 'notOwner';
      throw isNotOwner ? new AppError('notYourAuthenticator') : error;
    });
  return { found, org, holder: holderOf(isOwn ? person : await readHolder(deps, found), org), isOwn };
}

/** @throws AppError `wrongLostSince` before the authenticator was added, or in the future. */
function requireLostSince({ clock }: Deps, { created }: Removable, since: Date): Date {
  const now = clock.now().getTime();
  if (since < created || since.getTime() > now + CLOCK_DIFFERENCE_MS) throw new AppError('wrongLostSince');
  return new Date(Math.min(since.getTime(), now));
}

function lostOf({
  found,
  holder,
  since,
  by,
}: {
  found: Removable;
  holder: Holder;
  since: Date;
  by: Session;
}): LostAuthenticator {
  return {
    id: found.id,
    method: found.type,
    holder: { githubId: holder.githubId, login: holder.login },
    org: holder.org,
    since,
    by: { userId: by.userId, githubId: by.githubId, login: by.login },
  };
}

/** An authenticator of any kind, with how to remove it. */
type Removable = Pick<TotpApp, 'id' | 'userId' | 'orgRecordId' | 'label' | 'created'> & {
  type: AuthenticatorType;
  /** The subject of the log's entries about it. */
  subject: string;
  /** False if it was already removed. */
  remove(holder: Holder, removal: RemovalRecord): Promise<boolean>;
};

/** Finds an authenticator by its collection and record id; null if there is none. */
async function findRemovable(
  { credentials, totpApps }: AuthenticatorDeps,
  collection: AuthenticatorKind['collection'],
  id: string,
): Promise<Removable | null> {
  if (collection === 'webauthn') {
    const key = await credentials.byId(id);
    return (
      key && {
        ...key,
        subject: credentialSubject(key.keyId),
        remove: (...removal) => credentials.remove(key, ...removal),
      }
    );
  }
  const app = await totpApps.byId(id);
  const subject = recordSubject('totps', id);
  return app && { ...app, type: 'totp', subject, remove: (...removal) => totpApps.remove(app, ...removal) };
}
