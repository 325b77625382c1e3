import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import type { VouchChallengeAnswer, WaitingAuthenticator } from '../../../src/contract/enrolment.ts';
import { ApiError, type Poster } from './api-client.ts';
import { comparisonDigits, refuseVouchStatement, type VouchOnScreen } from './check-vouch-statement.ts';
import { StatementRefused } from './sign-shown.ts';
import { inPhases, type Phase } from './use-ceremony.ts';
import { useClient, useUser } from './use-client.ts';
import { webauthnErrorText } from './webauthn-errors.ts';

type Target = { org: string; orgID: string; waiting: WaitingAuthenticator };

/** A vouch for an authenticator that is on the screen: by its holder for their other device, else by somebody else. */
export function useVouch({ org, orgID, waiting: { id, holder } }: Target) {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  const [status, setStatus] = useState<'awaiting' | Phase | 'done'>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [isOther, setIsOther] = useState(false);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const sign = async (heard?: string) => {
    setStatus('pending');
    setError(null);
    setIsOther(false);
    try {
      await vouch(
        {
          api,
          accessToken: session.accessToken,
          sign: inPhases((optionsJSON) => startAuthentication({ optionsJSON }), setStatus),
        },
        { org, orgID, authenticatorID: id, heard },
        {
          host: config.origin,
          user: { login: username, githubId },
          org: { id: Number(orgID), login: org },
          holder,
        },
      );
      setStatus('done');
      // For their other device, the person has one more that counts.
      void session.refresh();
    } catch (cause) {
      const isSentence = cause instanceof ApiError || cause instanceof StatementRefused;
      if (cause instanceof OtherDigits) setIsOther(true);
      else setError(isSentence ? cause.message : webauthnErrorText(cause));
      setStatus('awaiting');
    }
  };

  /** `isOther`: the digits that were heard are those of another key. */
  return { status, error, isOther, sign: (heard?: string) => void sign(heard) };
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

type VouchDeps = {
  api: Poster;
  accessToken: () => string;
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<unknown>;
};

/**
 * The authenticator (its record id) to vouch for, and its organization. `heard` are the six digits that its holder read
 * out; undefined for a person's own other device, whose digits they see on both.
 */
type VouchTarget = { org: string; orgID: string; authenticatorID: string; heard?: string | undefined };

/** The holder read out other digits than those of the key that would be signed. Nothing was signed. */
class OtherDigits extends Error {}

/**
 * Signs that the authenticator is the holder's on the screen, and sends it. It counts then.
 *
 * Rejects with an `ApiError`, a `StatementRefused`, `OtherDigits`, or the authenticator's error; nothing counts then.
 */
async function vouch(
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
  if (refusal !== null) throw new StatementRefused(refusal);
  if (heard !== undefined && heard !== (await comparisonDigits(statement, drawn))) throw new OtherDigits();
  // The contract allows any transport name; the library's type lists only the ones known today.
  const webauthn = await sign(options as Options);
  const stepUp = { type: 'vouch', authenticatorID, webauthn };
  await api.post('/github-vouch', { org, orgID, authenticatorID, stepUp, accessToken: accessToken() });
}
