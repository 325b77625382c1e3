import type { ActivityKind } from '../../../../../src/contract/activity.ts';
import { entryText, plainText } from '../../../../../src/contract/activity-words.ts';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import { exactTime } from '../../../lib/times.ts';
import type { Entry } from './entry.ts';

/** An entry's text as one string, for screen readers and exports, with times in the reader's zone. */
export const plainEntryText = (entry: Pick<Entry, 'kind' | 'data'>): string =>
  plainText(entryText(entry), exactTime);

/** Tells whether an owner should look into this kind. */
export const isWarningKind = (kind: string): boolean =>
  ['unapprovedMerge', 'forgedCheck', 'forgedRecord', 'restore', 'protectionWeakened'].includes(kind);

/** The text of an empty log. */
export const NO_ACTIVITY = 'No activity yet. Registrations and approvals appear here.';

/** The kinds of activity as the filter names them. */
export const KIND_NAMES: Record<ActivityKind, string> = {
  webauthnCollect: 'Approved with a passkey or security key',
  totpCollect: `Approved with ${authenticatorKinds.totp.method}`,
  webauthnRegister: 'Registered a passkey or security key',
  totpRegister: 'Registered an authenticator app',
  authenticatorRename: 'Renamed an authenticator',
  authenticatorDelete: 'Deleted an authenticator',
  memberAuthenticatorDelete: "Deleted a member's authenticator",
  approvalWithdraw: 'Withdrew an approval',
  memberSessionsEnd: 'Signed a member out everywhere',
  setOrgImage: 'Set the security image',
  policyChange: 'Changed the policy',
  unapprovedMerge: 'Merged without an approval',
  forgedRecord: 'Forged record found',
  forgedCheck: 'A green check that OTP Guard did not give',
  webauthnPending: 'Registered an authenticator that waits to be confirmed',
  vouch: 'Vouched for an authenticator',
  confirmOwner: 'An owner was confirmed by the operator',
  restore: 'Restored from a backup',
  hookSet: 'Set an outgoing webhook',
  hookRemove: 'Removed an outgoing webhook',
  hookStop: 'An outgoing webhook was stopped',
  protectionWeakened: 'Protection became weaker',
  protectionStrengthened: 'Protection became stronger',
  protectionBaseline: 'Sent who may bypass rulesets',
  weakeningAcknowledged: 'Acknowledged that protection became weaker',
};
