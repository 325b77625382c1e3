import type { startAuthentication } from '@simplewebauthn/browser';
import type { RequestOptions } from '../../../src/contract/approvals.ts';
import type { VouchStatement } from '../../../src/contract/statement.ts';
import type { Poster } from './api-client.ts';
import { refuseVouchStatement, type VouchOnScreen } from './check-vouch-statement.ts';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export type VouchDeps = {
  api: Poster;
  accessToken: () => string;
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<unknown>;
};

/** The authenticator (its record id) to vouch for, and its organization. */
export type VouchTarget = { org: string; orgID: string; authenticatorID: string };

/** The server requested a signature for something that the page doesn't show. Nothing was signed. */
export class VouchRefused extends Error {}

/**
 * Signs that the authenticator is the holder's on the screen, and sends it. It counts then.
 *
 * Rejects with an `ApiError`, a `VouchRefused`, or the authenticator's error; nothing counts then.
 */
export async function vouch(
  { api, accessToken, sign }: VouchDeps,
  { org, orgID, authenticatorID }: VouchTarget,
  screen: VouchOnScreen,
): Promise<void> {
  const { options, statement } = await api.post<{ options: RequestOptions; statement: VouchStatement }>(
    '/webauthn-challenge',
    { type: 'vouch', org, orgID, authenticatorID },
  );
  const refusal = await refuseVouchStatement(options.challenge, statement, screen);
  if (refusal !== null) throw new VouchRefused(refusal);
  // The contract allows any transport name; the library's type lists only the ones known today.
  const webauthn = await sign(options as Options);
  const stepUp = { type: 'vouch', authenticatorID, webauthn };
  await api.post('/github-vouch', { org, orgID, authenticatorID, stepUp, accessToken: accessToken() });
}
