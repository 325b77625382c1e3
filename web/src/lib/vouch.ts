import type { startAuthentication } from '@simplewebauthn/browser';
import type { VouchChallengeAnswer } from '../../../src/contract/enrolment.ts';
import type { Poster } from './api-client.ts';
import { comparisonDigits, refuseVouchStatement, type VouchOnScreen } from './check-vouch-statement.ts';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export type VouchDeps = {
  api: Poster;
  accessToken: () => string;
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<unknown>;
};

/**
 * The authenticator (its record id) to vouch for, and its organization. `heard` are the six digits that its holder read
 * out; undefined for a person's own other device, whose digits they see on both.
 */
export type VouchTarget = { org: string; orgID: string; authenticatorID: string; heard?: string | undefined };

/** The server requested a signature for something that the page doesn't show. Nothing was signed. */
export class VouchRefused extends Error {}

/** The holder read out other digits than those of the key that would be signed. Nothing was signed. */
export class OtherDigits extends Error {}

/**
 * Signs that the authenticator is the holder's on the screen, and sends it. It counts then.
 *
 * Rejects with an `ApiError`, a `VouchRefused`, `OtherDigits`, or the authenticator's error; nothing counts then.
 */
export async function vouch(
  { api, accessToken, sign }: VouchDeps,
  { org, orgID, authenticatorID, heard }: VouchTarget,
  screen: VouchOnScreen,
): Promise<void> {
  const { options, statement, drawn } = await api.post<VouchChallengeAnswer>('/webauthn-challenge', {
    type: 'vouch',
    org,
    orgID,
    authenticatorID,
  });
  const refusal = await refuseVouchStatement(options.challenge, statement, screen);
  if (refusal !== null) throw new VouchRefused(refusal);
  if (heard !== undefined && heard !== (await comparisonDigits(statement, drawn))) throw new OtherDigits();
  // The contract allows any transport name; the library's type lists only the ones known today.
  const webauthn = await sign(options as Options);
  const stepUp = { type: 'vouch', authenticatorID, webauthn };
  await api.post('/github-vouch', { org, orgID, authenticatorID, stepUp, accessToken: accessToken() });
}
