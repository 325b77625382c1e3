import type { AuthenticatorType } from './authenticators.ts';

/** What is logged: the `activity` field of a `gh_activities` record. */
export const activityKinds = [
  'totpRegister',
  'webauthnRegister',
  'authenticatorDelete',
  'memberAuthenticatorDelete',
  'webauthnCollect',
  'totpCollect',
  'setOrgImage',
  'unapprovedMerge',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/**
 * The `data` field of a `gh_activities` record: names as they were at that
 * moment, for reading. Who did it is the record's `user_id`; `login` is their
 * login then, for when the relation can be followed no more.
 */
export type ActivityData = {
  login?: string;
  /** The authenticator. */
  type?: AuthenticatorType;
  label?: string;
  /**
   * Whose authenticator it is, or whose approval: their login. It differs from
   * who did it in `memberAuthenticatorDelete` alone.
   */
  user?: string;
  /** The approved commit, full length. */
  sha?: string;
  /** The pull request's number. */
  pr?: number;
  /** The repository's name, without its owner. */
  repo?: string;
  /** The organization's login. */
  org?: string;
};
