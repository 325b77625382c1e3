import { z } from 'zod';
import { approvalTarget } from './approvals.ts';
import { authenticatorTypes, type WebauthnType, webauthnTypes } from './authenticator-kinds.ts';
import { deviceLinkSecret, registrationProofs } from './enrolment.ts';
import {
  accessToken,
  branchName,
  githubId,
  label,
  objectOf,
  organization,
  organizationFields,
  recordId,
  registrationResponse,
} from './fields.ts';

const webauthnType = z.enum(webauthnTypes, { error: 'Unrecognized authenticator type' });

const registration = { label: label('Give the authenticator a label.'), type: webauthnType, ...organization };

/** `POST /github-register-authenticator-params`; `device` is where a passkey is going to be, if it isn't the browser's. */
export const registrationParams = z.object({
  ...registration,
  device: z.literal('phone', { error: 'Choose this device or a phone.' }).optional(),
  accessToken: accessToken.optional(),
});

/** `POST /github-register-passkey` */
export const webauthnRegistration = z.object({
  params: objectOf(z.object(registration, { error: 'Missing organization' })),
  pkCreds: registrationResponse('Registration was not completed'),
  ...registrationProofs,
  /** The secret of a device link, instead of a step-up. */
  deviceLink: deviceLinkSecret.optional(),
  accessToken: accessToken.optional(),
});

export type { AuthenticatorType, WebauthnType } from './authenticator-kinds.ts';

const authenticatorType = z.enum(authenticatorTypes, { error: 'invalid authenticator type' });

/** `POST /github-edit-authenticator`: a new label for an authenticator whose kind can be renamed. */
export const authenticatorEdit = z.object({
  type: authenticatorType,
  id: recordId('invalid authenticator id'),
  label: label('Give the authenticator a label.'),
});

/** `POST /lost-approvals`: what the removal of this authenticator would withdraw, if it was lost since then (RFC 3339). */
export const lostApprovalsRequest = z.object({
  type: authenticatorType,
  id: recordId('invalid authenticator id'),
  orgID: githubId('missing organization id'),
  since: z.iso.datetime({ offset: true, error: 'Enter a time.' }),
});

/** The number of approvals to withdraw, of denials and rejections, and of open pull requests that lose an approval. */
export type LostApprovals = { approvals: number; others: number; openPulls: number };

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, section 5.1.8. */
export type CreationOptions = {
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  timeout?: number;
  excludeCredentials?: { id: string; type: 'public-key'; transports?: string[] }[];
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform';
    residentKey?: 'required' | 'preferred' | 'discouraged';
    requireResidentKey?: boolean;
    userVerification?: 'required' | 'preferred' | 'discouraged';
  };
  attestation?: 'none' | 'direct' | 'enterprise';
  /** The kinds of authenticator that the browser offers first. */
  hints?: string[];
};

/** `userid` is the WebAuthn user handle of this person in this organization. */
export type RegistrationParamsAnswer = { challenge: string; userid: string; options: CreationOptions };

/**
 * `created` is an RFC 3339 time; `key_id` is the credential id, base64url. An authenticator that counts for nothing
 * until a person confirms it has `pending` and the digits to compare, such as `482 109`.
 */
export type RegistrationAnswer = {
  id: string;
  type: WebauthnType;
  label: string;
  created: string;
  key_id: string;
  pending?: true;
  comparison?: string;
};

/**
 * The authenticators of a user, keyed by the organization's GitHub id. `pending` is an authenticator that doesn't
 * count yet; it isn't in `webauthn`. It is the `authenticators` field of a `gh_users` record.
 */
export type AuthenticatorMap = Record<
  string,
  { totp: boolean; webauthn: { id: string }[]; pending?: { id: string } }
>;

/** RFC 6238 as this product uses it, and the key URI's issuer. */
export const totp = {
  issuer: 'OTP Guard',
  algorithm: 'SHA1',
  digits: 6,
  /** Seconds. */
  period: 30,
  /** The number of steps before and after the current one whose codes are accepted. */
  window: 1,
  /** The length of a new secret. */
  secretBytes: 16,
} as const;

/** Six ASCII digits; digits of other scripts don't count. */
export const oneTimeCode = (text: string) =>
  z
    .string({ error: text })
    .trim()
    .regex(/^[0-9]{6}$/, { error: text });

/** `POST /github-register-totp` */
export const totpRegistration = z.object({
  totpValue: oneTimeCode('Enter the 6 digits that your app shows.'),
  totpSecret: z
    .string({ error: 'Start the registration again: its secret is missing.' })
    .max(200, { error: 'Start the registration again: its secret is too long.' }),
  ...organizationFields,
  ...registrationProofs,
});

/** `created` is an RFC 3339 time. */
export type TotpRegistrationAnswer = { id: string; label: string; created: string };

/** `POST /github-totp-check` */
export const totpApproval = approvalTarget.extend({
  /** The base branch that was on the person's screen. */
  base: branchName('missing base'),
  otp: oneTimeCode('Enter the 6 digits that your app shows.'),
  accessToken: accessToken.optional(),
});
