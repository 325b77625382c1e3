import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import type { WaitingAuthenticator } from '../../../src/contract/enrolment.ts';
import { ApiError } from './api-client.ts';
import { inPhases, type Phase } from './use-ceremony.ts';
import { useClient, useUser } from './use-client.ts';
import { OtherDigits, VouchRefused, vouch } from './vouch.ts';
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
      const isSentence = cause instanceof ApiError || cause instanceof VouchRefused;
      if (cause instanceof OtherDigits) setIsOther(true);
      else setError(isSentence ? cause.message : webauthnErrorText(cause));
      setStatus('awaiting');
    }
  };

  /** `isOther`: the digits that were heard are those of another key. */
  return { status, error, isOther, sign: (heard?: string) => void sign(heard) };
}
