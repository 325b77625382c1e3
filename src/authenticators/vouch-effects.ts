import type { Effects } from '../audit/ports.ts';
import { activityOf, type LabelledAuthenticator, noticeOf, withData } from './effects.ts';
import type { Holder, Remover } from './ports.ts';

type Confirmed = { holder: Holder; authenticator: LabelledAuthenticator; owners: string[] };

/** Logs a vouch, and notifies the holder, the person who vouched and the owners; for a person's other device, the person. */
export function vouchEffects({ holder, authenticator, by, owners }: Confirmed & { by: Remover }): Effects {
  const activity = activityOf('vouch', holder, authenticator, by);
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
  return {
    activity: activityOf('confirmOwner', holder, authenticator, holder),
    notices: [...everyone].map((userId) => noticeOf('ownerConfirmed', userId, holder, authenticator, holder)),
  };
}
