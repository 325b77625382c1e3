import type { Effects } from '../audit/ports.ts';
import { accountOf, credentialSubject } from '../audit/subjects.ts';
import type { ActivityKind } from '../contract/activity.ts';
import { type AuthenticatorType, authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { NewNotice, NoticeData, NoticeKind } from '../notices/ports.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import { credentialFacts, loggedCredential, proofSha256 } from './logged-credential.ts';
import type { Admission, Credential, Holder, NewVouch, Remover } from './ports.ts';

export type LabelledAuthenticator = { type: AuthenticatorType; label: string };
type Authenticator = LabelledAuthenticator;
/** An authenticator that the log already has entries about. */
export type KnownAuthenticator = LabelledAuthenticator & { subject: string };
/** The registered key; without it, an authenticator app. */
export type RegisteredAuthenticator = LabelledAuthenticator & {
  key?: Pick<Credential, 'keyId' | 'publicKey' | 'aaguid' | 'modelVerified'>;
};

/**
 * Logs a registration, and notifies the holder, and the owners of a first one or of one that waits for a vouch.
 *
 * @param owners Empty for a further one, and for a pending one that replaces another: many registrations
 *   mustn't become many e-mails to owners.
 */
export function registrationEffects(
  holder: Holder,
  authenticator: RegisteredAuthenticator,
  { admission, owners }: { admission: Admission; owners: string[] },
): Effects {
  const { activity, notices } = plainRegistrationEffects(holder, authenticator, { admission, owners });
  const { personFacts, ...about } = authenticator.key ? credentialFacts(authenticator.key) : {};
  const confirmedBy = admission.order === 'further' ? { confirmedBy: admission.confirmedBy } : {};
  return {
    activity: {
      ...activity,
      ...about,
      personFacts: { ...activity.personFacts, ...personFacts, ...confirmedBy },
    },
    notices,
  };
}

function plainRegistrationEffects(
  holder: Holder,
  authenticator: Authenticator,
  { admission, owners }: { admission: Admission; owners: string[] },
): Effects {
  const others = owners.filter((userId) => userId !== holder.userId);
  const notice = (kind: NoticeKind, userId: string) => noticeOf(kind, userId, holder, authenticator, holder);
  if (admission.order === 'pending') {
    const kind = admission.waitsFor === 'vouch' ? 'authenticatorPending' : 'devicePending';
    return {
      activity: activityOf('webauthnPending', holder, authenticator, holder),
      notices: [notice(kind, holder.userId), ...others.map((userId) => notice('vouchWanted', userId))],
    };
  }
  const registered = authenticatorKinds[authenticator.type].registered;
  const { data, ...activity } = activityOf(registered, holder, authenticator, holder);
  const { enrolled } = admission;
  if (admission.order === 'further')
    return { activity: { ...activity, data }, notices: [notice('authenticatorAdded', holder.userId)] };
  const { address } = admission.address ?? {};
  return {
    activity: { ...activity, data: { ...data, enrolled } },
    notices: [
      withData(notice('authenticatorAdded', holder.userId), { isOnly: true }),
      ...others.map((userId) => withData(notice('firstAuthenticator', userId), address ? { address } : {})),
    ],
  };
}

/** The notice with more to say. */
export const withData = (notice: NewNotice, data: NoticeData): NewNotice => ({
  ...notice,
  data: { ...notice.data, ...data },
});

/** Logs a rename, and notifies the holder: they tell their authenticators apart by the labels. */
export function renameEffects(
  holder: Holder,
  authenticator: KnownAuthenticator,
  formerLabel: string,
): Effects {
  const activity = activityOf('authenticatorRename', holder, authenticator, holder);
  const notice = noticeOf('authenticatorRenamed', holder.userId, holder, authenticator, holder);
  return {
    activity: { ...activity, subject: authenticator.subject, data: { ...activity.data, formerLabel } },
    notices: [{ ...notice, data: { ...notice.data, formerLabel } }],
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
  by: Remover,
  loss: { since: Date; owners: string[]; approvals: number } | null = null,
): Effects {
  const { activity: unnamed, notices } = plainRemovalEffects(holder, authenticator, by);
  const activity = { ...unnamed, subject: authenticator.subject };
  if (!loss) return { activity, notices };
  const lostSince = loss.since.toISOString();
  const known = new Set(notices.map(({ userId }) => userId));
  const toOwners = loss.owners
    .filter((userId) => !known.has(userId))
    .map((userId) => noticeOf('authenticatorLost', userId, holder, authenticator, by));
  return {
    activity: { ...activity, data: { ...activity.data, lostSince } },
    notices: [...notices, ...toOwners].map((notice) =>
      withData(notice, { lostSince, withdrawn: loss.approvals }),
    ),
  };
}

function plainRemovalEffects(holder: Holder, authenticator: Authenticator, by: Remover): Effects {
  if (by.userId === holder.userId) {
    return {
      activity: activityOf('authenticatorDelete', holder, authenticator, by),
      notices: [noticeOf('authenticatorRemoved', holder.userId, holder, authenticator, by)],
    };
  }
  return {
    activity: activityOf('memberAuthenticatorDelete', holder, authenticator, by),
    notices: [
      noticeOf('memberAuthenticatorRemoved', holder.userId, holder, authenticator, by),
      noticeOf('ownerRemovedAuthenticator', by.userId, holder, authenticator, by),
    ],
  };
}

export function activityOf(
  activity: ActivityKind,
  holder: Holder,
  { type, label }: Authenticator,
  by: Remover,
): Effects['activity'] {
  return {
    activity,
    userId: by.userId,
    orgRecordId: holder.org.recordId,
    data: { type, label, login: by.login, user: holder.login, org: holder.org.name },
    personFacts: { by: accountOf(by), holder: accountOf(holder) },
  };
}

export function noticeOf(
  kind: NoticeKind,
  userId: string,
  holder: Holder,
  { type, label }: Authenticator,
  by: Remover,
): NewNotice {
  return { kind, userId, data: { type, label, login: holder.login, by: by.login, org: holder.org.name } };
}

/** A person as the holder of an authenticator in an organization. */
export function holderOf(person: Pick<Person, 'userId' | 'githubId' | 'login'>, org: Organization): Holder {
  return {
    userId: person.userId,
    githubId: person.githubId,
    login: person.login,
    org: { recordId: org.id, id: org.orgId, name: org.name },
  };
}

type Confirmed = {
  holder: Holder;
  authenticator: LabelledAuthenticator & Pick<Credential, 'keyId' | 'publicKey'>;
  owners: string[];
};

/** Logs a vouch, and notifies the holder, the person who vouched and the owners; for a person's other device, the person. */
export function vouchEffects({
  holder,
  authenticator,
  by,
  owners,
  proof,
}: Confirmed & { by: Remover; proof: NonNullable<NewVouch['proof']> }): Effects {
  const { personFacts, ...plain } = activityOf('vouch', holder, authenticator, by);
  const activity = {
    ...plain,
    subject: credentialSubject(authenticator.keyId),
    personFacts: {
      ...personFacts,
      credential: loggedCredential(authenticator),
      proofSha256: proofSha256(proof),
    },
  };
  const notice = (kind: Parameters<typeof noticeOf>[0], userId: string) =>
    noticeOf(kind, userId, holder, authenticator, by);
  if (by.userId === holder.userId)
    return { activity, notices: [notice('authenticatorAdded', holder.userId)] };
  const others = owners.filter((userId) => userId !== holder.userId && userId !== by.userId);
  return {
    activity,
    notices: [
      withData(notice('vouchedFor', holder.userId), { isOnly: true }),
      notice('youVouched', by.userId),
      ...others.map((userId) => notice('memberVouchedFor', userId)),
    ],
  };
}

/** Logs that the operator confirmed an owner's authenticator, and notifies every owner. */
export function confirmOwnerEffects({ holder, authenticator, owners }: Confirmed): Effects {
  const everyone = new Set([holder.userId, ...owners]);
  const { personFacts, ...activity } = activityOf('confirmOwner', holder, authenticator, holder);
  return {
    activity: {
      ...activity,
      subject: credentialSubject(authenticator.keyId),
      // The operator has no account here.
      personFacts: { holder: personFacts?.holder, credential: loggedCredential(authenticator) },
    },
    notices: [...everyone].map((userId) => noticeOf('ownerConfirmed', userId, holder, authenticator, holder)),
  };
}
