import type { AuthenticatorType } from './authenticator-kinds.ts';
import type { ChangedParts } from './changed-parts.ts';
import type { Enrolled } from './enrolment.ts';
import type { HookKind } from './hooks.ts';

/** The kinds of log entry: the `activity` field of a `gh_activities` record. */
export const activityKinds = [
  'totpRegister',
  'webauthnRegister',
  'authenticatorRename',
  'authenticatorDelete',
  'memberAuthenticatorDelete',
  'webauthnCollect',
  'totpCollect',
  'approvalWithdraw',
  'memberSessionsEnd',
  'setOrgImage',
  'policyChange',
  'unapprovedMerge',
  'forgedRecord',
  'forgedCheck',
  'webauthnPending',
  'vouch',
  'confirmOwner',
  'restore',
  'hookSet',
  'hookRemove',
  'hookStop',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/**
 * The `data` field of a `gh_activities` record: names at the time of the event,
 * for display. `login` is the login of the record's `user_id`, in case that
 * user no longer exists.
 */
export type ActivityData = {
  login?: string;
  /** The authenticator. */
  type?: AuthenticatorType;
  label?: string;
  /** Its label before a rename. */
  formerLabel?: string;
  /**
   * The login of the authenticator's holder, of the approver, or of the member
   * whose sessions ended. It differs from `login` if an owner did it.
   */
  user?: string;
  /** How the holder's trust came in, of a registration or a vouch. */
  enrolled?: Enrolled;
  /** The authenticator was lost or stolen at this time (RFC 3339). */
  lostSince?: string;
  /** The approved commit, full length. */
  sha?: string;
  /** The pull request's number. */
  pr?: number;
  /** The base branch of an approval. */
  base?: string;
  /** The repository's name, without its owner. */
  repo?: string;
  /** The collection of a forged record. */
  collection?: string;
  /** The organization's login. */
  org?: string;
  /** The time of the newest record in the backup that was restored (RFC 3339). */
  backup?: string;
  /** The number of the organization's new policy, which its history keeps in full. */
  number?: number;
  /** The outgoing webhook, and the host name of its address. */
  hook?: HookKind;
  host?: string;
} & Partial<ChangedParts>;
