import { ApiError } from '../../lib/api-client.ts';
import { webauthnErrorText } from '../../lib/webauthn-errors.ts';
import { BatchRefused } from './batch-request.ts';

/** Why nothing is approved yet, and what the person can do next. `inbox`: go back and choose others. */
export type Problem = { text: string; next: 'approve' | 'reload' | 'register' | 'inbox' };

/** True in every case: stored approvals stay stored, and those that weren't can be given again. */
const NOTHING_LOST = "OTP Guard didn't answer. Nothing is lost: check your connection, then try again.";

/**
 * Explains a failure to the person; null if there is nothing to say. `isShown` says whether the pull requests are on the
 * screen, so that the same button can try again.
 */
export function toProblem(error: unknown, isShown: boolean): Problem | null {
  if (error instanceof BatchRefused) return { text: error.message, next: 'reload' };
  if (error instanceof ApiError) {
    const text = error.code === null && error.mayPass ? NOTHING_LOST : error.message;
    return { text, next: afterRefusal(error, isShown) };
  }
  const text = webauthnErrorText(error);
  return text === null ? null : { text, next: 'approve' };
}

function afterRefusal({ code, mayPass, retryAfter }: ApiError, isShown: boolean): Problem['next'] {
  if (code === 'missingAuthenticator') return 'register';
  if (isShown) return 'approve';
  return mayPass || retryAfter !== undefined ? 'reload' : 'inbox';
}
