import { z } from 'zod';
import { approvalParams, approvalTarget, type RequestOptions } from './approvals.ts';
import { oneTimeCode } from './authenticators.ts';
import { accessToken, authenticationResponse, objectOf, organizationFields, recordId } from './fields.ts';
import { whyNoReason } from './reason.ts';
import type { DenyStatement } from './statement.ts';
import { stepUp } from './step-up.ts';

const WHY = whyNoReason('') ?? '';

/** Why a person denies, or sets a denial aside. Only the spaces around it are dropped: the text is signed as it is. */
export const reasonText = z
  .string({ error: WHY })
  .trim()
  .refine((text) => whyNoReason(text) === null, { error: ({ input }) => whyNoReason(String(input)) ?? WHY });

/** `POST /deny-params` */
export const denyParams = approvalParams.extend({ reason: reasonText });

/** With `type: "totp"`, for a one-time code, the challenge isn't issued and nobody can answer it. */
export type DenyParamsAnswer = { challenge: string; options: RequestOptions; statement: DenyStatement };

/** `POST /deny`: with an assertion over the statement, or with a one-time code. */
export const denial = z
  .object({
    params: objectOf(z.object(approvalTarget.shape, { error: 'missing installation' })),
    reason: reasonText,
    authResponse: authenticationResponse('missing authenticator').optional(),
    otp: oneTimeCode('Enter the 6 digits that your app shows.').optional(),
    accessToken: accessToken.optional(),
  })
  .refine(({ authResponse, otp }) => (authResponse === undefined) !== (otp === undefined), {
    error: 'missing authenticator',
  });

/** `redirect` is the pull request's page on GitHub; `reported` is false if GitHub doesn't show the denial yet. */
export type DenialAnswer = { redirect: string; reported: boolean };

/** `POST /set-aside-denial`: for owners, with a step-up for this denial. The answer is that of a withdrawal. */
export const setAsideRequest = z.object({
  ...organizationFields,
  /** The record id of the denial. */
  denial: recordId('missing denial'),
  /** Why the owner sets it aside. */
  reason: reasonText,
  stepUp: objectOf(stepUp).optional(),
});
