import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { ApiError, NO_ANSWER, NOTHING_LOST } from '../api/api-client.ts';
import { StatementRefused } from './sign-shown.ts';

type ErrorTexts = Partial<Record<WebAuthnErrorCode, string | null>>;

const NOT_COMPLETED = 'Authentication was not completed';
const CANCELLED = 'You closed the prompt, or it timed out.';
export const NOTHING_APPROVED = 'Nothing was approved.';
const USUAL_ADDRESS = 'Open OTP Guard at its usual address.';

/**
 * The text for each code that an authentication can end with; `registration-errors.ts` has those of registrations
 * alone. Null for an aborted ceremony, and for errors that only their cause explains.
 */
export const TEXTS = {
  ERROR_CEREMONY_ABORTED: null,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: null,
  ERROR_INVALID_DOMAIN: `Passkeys don't work at this address. ${USUAL_ADDRESS}`,
  ERROR_INVALID_RP_ID: `The passkey belongs to another address. ${USUAL_ADDRESS}`,
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'Something went wrong with your passkey. Try again or use another.',
} as const satisfies ErrorTexts;

type Words = { notCompleted?: string; nothing?: string; texts?: ErrorTexts };

/**
 * The text about a failed ceremony: what happened, and on a second line what to do. Null if this page aborted the
 * ceremony itself. The defaults are those of a step-up.
 *
 * @param words.nothing Says what a closed prompt left undone.
 */
export function webauthnErrorText(
  error: unknown,
  { notCompleted = NOT_COMPLETED, nothing = 'Nothing was changed.', texts = TEXTS }: Words = {},
): string | null {
  if (!(error instanceof Error)) return `Unknown error: ${String(error)}`;
  // WebAuthn reports a cancelled, a refused and an expired prompt alike, so that sites can't tell them apart.
  if (error.name === 'NotAllowedError') return `${notCompleted}\n${CANCELLED} ${nothing}`;
  if (!(error instanceof WebAuthnError)) return plainErrorText(error, notCompleted);
  if (error.code === 'ERROR_CEREMONY_ABORTED') return null;
  return texts[error.code] ?? unknownErrorText(error);
}

/** Why nothing was signed or sent, as a text like `webauthnErrorText`'s. */
export function signingErrorText(error: unknown, nothing: string): string | null {
  if (error instanceof ApiError) return error.message === NO_ANSWER ? NOTHING_LOST : error.message;
  return error instanceof StatementRefused ? error.message : webauthnErrorText(error, { nothing });
}

/** The library throws a few errors without a code, whose messages the specification has word for word. */
function plainErrorText(error: Error, notCompleted: string): string {
  const known = ['WebAuthn is not supported in this browser', notCompleted];
  return known.includes(error.message) ? error.message : unknownErrorText(error);
}

const unknownErrorText = ({ message }: Error) =>
  `Unknown error: ${message}\nTry again, or use another authenticator.`;
