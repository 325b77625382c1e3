import { z } from 'zod';
import { approvalTarget } from './approvals.ts';
import { registrationProofs } from './enrolment.ts';
import { accessToken, accountLogin, branchName, githubId } from './fields.ts';

/** RFC 6238 as this product uses it, and the key URI's issuer. */
export const totp = {
  issuer: 'OTP Guard',
  algorithm: 'SHA1',
  digits: 6,
  /** Seconds. */
  period: 30,
  /** How many steps before and after the current one are accepted. */
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
  org: accountLogin('Missing organization'),
  orgID: githubId('missing organization id'),
  ...registrationProofs,
  accessToken: accessToken.optional(),
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
