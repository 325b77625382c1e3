import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import type { WebauthnType } from '../../../../src/contract/authenticators.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useClient } from '../../lib/use-client.ts';
import { webauthnSentence } from '../../lib/webauthn-errors.ts';
import type { Organization } from './organization.ts';
import { register } from './register.ts';

/** The registration of one passkey or security key. */
export function useRegistration(type: WebauthnType) {
  const { api, session } = useClient();
  const [status, setStatus] = useState<'awaiting' | 'pending' | 'complete'>('awaiting');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  /** True when it is registered and the session knows of it. */
  const start = async (organization: Organization, label: string): Promise<boolean> => {
    setStatus('pending');
    setError(null);
    try {
      await register({ api, accessToken: session.accessToken }, { ...organization, label, type });
      await session.refresh();
      setStatus('complete');
      return true;
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : webauthnSentence(cause, 'registration'));
      setStatus('awaiting');
      return false;
    }
  };

  return { status, error, start };
}
