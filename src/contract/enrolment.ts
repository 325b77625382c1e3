import { z } from 'zod';
import type { RequestOptions } from './approvals.ts';
import type { WebauthnType } from './authenticator-kinds.ts';
import { emailCodeProof } from './email.ts';
import { objectOf, organizationFields, recordId, textLike } from './fields.ts';
import type { Policy } from './policy.ts';
import type { VouchStatement } from './statement.ts';
import { stepUp } from './step-up.ts';

/**
 * The source of a person's trust in an organization: a GitHub sign-in alone, a company address, a vouch,
 * or the operator's command. A further authenticator has the same source as the authenticator that let it in. Empty for
 * an authenticator that still waits.
 */
export const enrolledBy = ['open', 'email', 'vouched', 'operator'] as const;
export type Enrolled = '' | (typeof enrolledBy)[number];

/** The confirmation of a pending authenticator: another member's vouch, or its holder's other device. */
export type PendingKind = 'vouch' | 'device';

/** The secret in a device link's fragment: 256 random bits, base64url. */
export const deviceLinkSecret = textLike(
  /^[A-Za-z0-9_-]{43}$/,
  'This link isn’t complete. Make a new one on your other device.',
);

/** The further fields of a registration, which the organization's mode or a device link needs. */
export const registrationProofs = {
  stepUp: objectOf(stepUp).optional(),
  /** The code that a first authenticator needs in the mode `email`. */
  emailCode: objectOf(emailCodeProof).optional(),
};

/** `POST /organization-enrolment` */
export const enrolmentRequest = z.object({
  org: organizationFields.org.optional(),
  orgID: organizationFields.orgID,
});

/** An authenticator that counts for nothing until a person confirms it, or, `existing`, from a day on. */
export type WaitingAuthenticator = {
  /** Its record id, for `vouch`. */
  id: string;
  holder: { id: number; login: string };
  type: WebauthnType;
  label: string;
  /** The model that it claims; empty if it isn't known. */
  model: string;
  /** The time at which it was registered (RFC 3339). */
  since: string;
  /** Six digits, such as `482 109`, to compare with its holder over another channel. */
  comparison: string;
  /** `existing`: registered before the organization asked for vouches. It counts until `vouchExistingBy`. */
  waitsFor: PendingKind | 'existing';
  /** The page that vouches for it: a path of the dashboard, for the holder to send. */
  page: string;
};

/**
 * An authenticator of the person's own. A thief of their session can replace a pending one, and the person would read out the
 * thief's digits. So a page shows `comparison` of a pending one, unless it waits for `device`, only in the browser
 * that registered it, or after this credential answered a ceremony there.
 */
export type OwnWaiting = WaitingAuthenticator & {
  /** The credential id, base64url. */
  keyId: string;
};

export type EnrolmentAnswer = Pick<Policy['enrolment'], 'mode' | 'domains' | 'vouchers'> & {
  /** From this day on (UTC), authenticators from before `vouched` need a vouch too; null if they don't. */
  vouchExistingBy: string | null;
  /** The number of the person's authenticators that count here now; remind them of a second if it's 1. */
  active: number;
  /** The person's own that wait, the pending one first. */
  own: OwnWaiting[];
  /** True if the person may vouch, and has a passkey or security key for it. */
  mayVouch: boolean;
  /** The authenticators of others that wait for a vouch, longest first, at most 50; empty for people whose role may not vouch. */
  waiting: WaitingAuthenticator[];
};

/** `POST /github-vouch`: answers `ok`. A vouch takes a passkey or security key, no one-time code. */
export const vouch = z.object({
  ...organizationFields,
  authenticatorID: recordId('invalid authenticator id'),
  stepUp: objectOf(stepUp).optional(),
});

/** `POST /device-link`: with a step-up of the type `register-authenticator`. */
export const deviceLinkRequest = z.object({ ...organizationFields, stepUp: objectOf(stepUp).optional() });

/**
 * `url` is the page for the other device: `/second-device#org=…&orgID=…&secret=…`. The secret is only in
 * the fragment, which browsers send to nobody. `expires` is an RFC 3339 time.
 */
export type DeviceLinkAnswer = { url: string; expires: string };

/**
 * `POST /webauthn-challenge` for a vouch. The six digits follow from the statement's `publicKeySha256` and from `drawn`:
 * the page compares them with what the person hears, before they sign.
 */
export type VouchChallengeAnswer = {
  challenge: string;
  options: RequestOptions;
  statement: VouchStatement;
  drawn: string;
};
