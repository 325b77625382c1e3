import type { EmailPrecheckAnswer } from '../../../src/contract/email.ts';
import { ApiError, ENDED, type Poster } from './api-client.ts';

/** An address that is being confirmed, with the server's signed state of the confirmation. */
export type Confirmation = { email: string } & EmailPrecheckAnswer;

type Deps = {
  api: Poster;
  /** The person's record id and the record store's token. */
  session: { userId: string; token: string };
};

/** A refusal by the page itself, before anything is sent. */
export class EmailRefused extends Error {}

/**
 * Sends a code to an address: for notices, or, with an organization's GitHub id, to enrol there. Rejects with an
 * `EmailRefused` or an `ApiError` if no code was sent.
 */
export async function requestCode(
  { api, session }: Deps,
  address: string,
  orgID?: string,
): Promise<Confirmation> {
  const email = address.trim();
  if (!email) throw new EmailRefused('E-mail address required');
  requireSession(session);
  const { ts, sig } = await api.post<EmailPrecheckAnswer>('/github-precheck-email', {
    email,
    ...(orgID !== undefined && { orgID }),
  });
  return { email, ts, sig };
}

/** Confirms an address with its code. Rejects with an `EmailRefused` or an `ApiError` if nothing changed. */
export async function confirmCode(
  { api, session }: Deps,
  { email, ts, sig }: Confirmation,
  code: string,
): Promise<void> {
  requireSession(session);
  const answer = await api.post<unknown>('/github-confirm-email', { email, ts, sig, code });
  if (answer !== 'ok') throw new ApiError(typeof answer === 'string' && answer ? { detail: answer } : {});
}

function requireSession({ userId, token }: Deps['session']): void {
  if (!userId || !token) throw new EmailRefused(ENDED);
}

/** Validates a confirmation stored in the tab; null if it isn't one. */
export function readConfirmation(stored: unknown): Confirmation | null {
  const { email, ts, sig } = (stored ?? {}) as Partial<Confirmation>;
  if (typeof email !== 'string' || typeof ts !== 'number' || typeof sig !== 'string') return null;
  return { email, ts, sig };
}
