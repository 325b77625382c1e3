import type { Effects } from '../../audit/ports.ts';
import { credentialSubject } from '../../audit/subjects.ts';
import { activityOf, type LabelledAuthenticator, noticeOf, withData } from '../effects.ts';
import { loggedCredential, proofSha256 } from '../logged-credential.ts';
import type { Credential, Holder, NewVouch, Remover } from '../ports.ts';

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
