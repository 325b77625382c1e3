import type { EmailPrecheckAnswer } from '../../../../src/contract/email.ts';
import { ApiError, NO_ANSWER, type Poster } from '../../lib/api-client.ts';

/** A code that is on its way to an address, and what its confirmation carries. */
export type Confirmation = { email: string } & EmailPrecheckAnswer;

type Deps = {
  api: Poster;
  /** Id of the person's record, and the record store's token. */
  session: { userId: string; token: string };
};

/** Something that the page itself has to say before anything is sent. */
export class EmailRefused extends Error {}

/** Has a code sent to an address. Rejects with an `EmailRefused` or an `ApiError`; nothing was sent then. */
export async function requestCode({ api, session }: Deps, address: string): Promise<Confirmation> {
  const email = address.trim();
  if (!email) throw new EmailRefused('E-mail address required');
  requireSession(session);
  const { ts, sig } = await api.post<EmailPrecheckAnswer>('/github-precheck-email', { email });
  return { email, ts, sig };
}

/** Confirms the address with the code. Rejects with an `EmailRefused` or an `ApiError`; nothing changed then. */
export async function confirmCode(
  { api, session }: Deps,
  { email, ts, sig }: Confirmation,
  code: string,
): Promise<void> {
  requireSession(session);
  const answer = await api.post<unknown>('/github-confirm-email', { email, ts, sig, code });
  if (answer !== 'ok') throw new ApiError(0, (typeof answer === 'string' && answer) || NO_ANSWER);
}

function requireSession({ userId, token }: Deps['session']): void {
  if (!userId || !token) throw new EmailRefused('missing model or missing auth token');
}

/** Reads what the tab kept; null where it is no confirmation. */
export function readConfirmation(kept: unknown): Confirmation | null {
  const { email, ts, sig } = (kept ?? {}) as Partial<Confirmation>;
  if (typeof email !== 'string' || typeof ts !== 'number' || typeof sig !== 'string') return null;
  return { email, ts, sig };
}
