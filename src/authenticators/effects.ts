import type { Effects, NewActivity } from '../audit/ports.ts';
import { accountOf, credentialSubject } from '../audit/subjects.ts';
import type { ActivityKind } from '../contract/activity.ts';
import { type AuthenticatorType, authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { NewNotice, NoticeData, NoticeKind } from '../notices/ports.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import type { AuthenticatorDeps } from './deps.ts';
import { credentialParts, loggedCredential, proofSha256 } from './logged-credential.ts';
import type { Admission, Credential, Holder, NewVouch } from './ports.ts';

type Authenticator = { type: AuthenticatorType; label: string };
/** An authenticator that the log already has entries about. */
type KnownAuthenticator = Authenticator & { subject: string };
/** The registered key; without it, an authenticator app. */
export type RegisteredAuthenticator = Authenticator & {
  key?: Pick<Credential, 'keyId' | 'publicKey' | 'aaguid' | 'modelVerified'>;
};

/** Makes log entries and notices about something that `by` did to an authenticator of the holder. */
function effectsAbout(holder: Holder, { type, label }: Authenticator, by: Session = holder) {
  const org = holder.org.name;
  const notice = (kind: NoticeKind, userId: string, more: NoticeData = {}): NewNotice => ({
    kind,
    userId,
    data: { type, label, login: holder.login, by: by.login, org, ...more },
  });
  return {
    entry: (activity: ActivityKind, more: Partial<NewActivity> = {}): NewActivity => ({
      ...more,
      activity,
      userId: by.userId,
      orgRecordId: holder.org.recordId,
      data: { type, label, login: by.login, user: holder.login, org, ...more.data },
      personFacts: { by: accountOf(by), holder: accountOf(holder), ...more.personFacts },
    }),
    notice,
    /** Leaves out the holder and the person who did it, who get notices of their own. */
    noticesToOthers: (owners: string[], kind: NoticeKind, more: NoticeData = {}): NewNotice[] =>
      owners
        .filter((userId) => userId !== holder.userId && userId !== by.userId)
        .map((userId) => notice(kind, userId, more)),
  };
}

/**
 * Logs a registration, and notifies the holder, and the owners of a first authenticator or of one waiting for a vouch.
 *
 * @param owners Empty for a further authenticator, and for a pending one in another's place: many registrations
 *   mustn't become many e-mails to owners.
 */
export function registrationEffects(
  holder: Holder,
  authenticator: RegisteredAuthenticator,
  { admission, owners }: { admission: Admission; owners: string[] },
): Effects {
  const { entry, notice, noticesToOthers } = effectsAbout(holder, authenticator);
  const about = authenticator.key && credentialParts(authenticator.key);
  if (admission.order === 'pending') {
    const kind = admission.waitsFor === 'vouch' ? 'authenticatorPending' : 'devicePending';
    return {
      activity: entry('webauthnPending', about),
      notices: [notice(kind, holder.userId), ...noticesToOthers(owners, 'vouchWanted')],
    };
  }
  const { registered } = authenticatorKinds[authenticator.type];
  if (admission.order === 'further') {
    const { confirmedBy } = admission;
    return {
      activity: entry(registered, { ...about, personFacts: { ...about?.personFacts, confirmedBy } }),
      notices: [notice('authenticatorAdded', holder.userId)],
    };
  }
  const { enrolled, address } = admission;
  return {
    activity: entry(registered, { ...about, data: { enrolled } }),
    notices: [
      notice('authenticatorAdded', holder.userId, { isOnly: true }),
      ...noticesToOthers(owners, 'firstAuthenticator', address ? { address: address.address } : {}),
    ],
  };
}

/** Logs a rename, and notifies the holder: they tell their authenticators apart by the labels. */
export function renameEffects(
  holder: Holder,
  authenticator: KnownAuthenticator,
  formerLabel: string,
): Effects {
  const { entry, notice } = effectsAbout(holder, authenticator);
  const { subject } = authenticator;
  return {
    activity: entry('authenticatorRename', { subject, data: { formerLabel } }),
    notices: [notice('authenticatorRenamed', holder.userId, { formerLabel })],
  };
}

/**
 * Logs a removal, and notifies the holder and the owner who removed it, if it was an owner.
 *
 * @param loss Since when it was lost or stolen, how many approvals that takes back, and the owners to notify; null if
 *   it wasn't.
 */
export function removalEffects(
  holder: Holder,
  authenticator: KnownAuthenticator,
  by: Session,
  loss: { since: Date; owners: string[]; approvals: number } | null = null,
): Effects {
  const { entry, notice, noticesToOthers } = effectsAbout(holder, authenticator, by);
  const { subject } = authenticator;
  const isOwn = by.userId === holder.userId;
  const lost = loss ? { lostSince: loss.since.toISOString() } : {};
  const more = loss ? { ...lost, withdrawn: loss.approvals } : {};
  return {
    activity: entry(isOwn ? 'authenticatorDelete' : 'memberAuthenticatorDelete', { subject, data: lost }),
    notices: [
      notice(isOwn ? 'authenticatorRemoved' : 'memberAuthenticatorRemoved', holder.userId, more),
      ...(isOwn ? [] : [notice('ownerRemovedAuthenticator', by.userId, more)]),
      ...noticesToOthers(loss?.owners ?? [], 'authenticatorLost', more),
    ],
  };
}

/** The person who holds an authenticator, as our copy of GitHub's profiles has them. */
export async function readHolder(
  { users }: Pick<AuthenticatorDeps, 'users'>,
  { userId }: { userId: string },
): Promise<Session> {
  const [contact, githubId] = await Promise.all([users.contact(userId), users.githubIdOf(userId)]);
  return { userId, githubId, login: contact?.login ?? '' };
}

/** A person as the holder of an authenticator in an organization. */
export function holderOf(person: Session, org: Organization): Holder {
  const { userId, githubId, login } = person;
  return { userId, githubId, login, org: { recordId: org.id, id: org.orgId, name: org.name } };
}

type Confirmed = {
  holder: Holder;
  authenticator: Authenticator & Pick<Credential, 'keyId' | 'publicKey'>;
  owners: string[];
};

/** Logs a vouch, and notifies the holder, the person who vouched and the owners; for a person's other device, the person. */
export function vouchEffects(
  vouch: Confirmed & { by: Session; proof: NonNullable<NewVouch['proof']> },
): Effects {
  const { holder, authenticator, by, owners, proof } = vouch;
  const { entry, notice, noticesToOthers } = effectsAbout(holder, authenticator, by);
  const activity = entry('vouch', {
    subject: credentialSubject(authenticator.keyId),
    personFacts: { credential: loggedCredential(authenticator), proofSha256: proofSha256(proof) },
  });
  if (by.userId === holder.userId)
    return { activity, notices: [notice('authenticatorAdded', holder.userId)] };
  return {
    activity,
    notices: [
      notice('vouchedFor', holder.userId, { isOnly: true }),
      notice('youVouched', by.userId),
      ...noticesToOthers(owners, 'memberVouchedFor'),
    ],
  };
}

/** Logs that the operator confirmed an owner's authenticator, and notifies every owner. */
export function confirmOwnerEffects({ holder, authenticator, owners }: Confirmed): Effects {
  const { entry, notice } = effectsAbout(holder, authenticator);
  const everyone = new Set([holder.userId, ...owners]);
  return {
    activity: {
      ...entry('confirmOwner'),
      subject: credentialSubject(authenticator.keyId),
      // The operator has no account here.
      personFacts: { holder: accountOf(holder), credential: loggedCredential(authenticator) },
    },
    notices: [...everyone].map((userId) => notice('ownerConfirmed', userId)),
  };
}
