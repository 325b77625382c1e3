import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-client.ts';
import type { StepUp } from '../../lib/step-up.ts';
import { useClient } from '../../lib/use-client.ts';
import { webauthnErrorText } from '../../lib/webauthn-errors.ts';
import type { Wizard } from './use-wizard.ts';

/** The registration of one authenticator. `send` makes the call, with the wizard's proof if one is needed. */
export function useRegistration<Input>(
  wizard: Wizard,
  send: (input: Input, stepUp: StepUp | undefined) => Promise<unknown>,
) {
  const { session } = useClient();
  const [status, setStatus] = useState<'awaiting' | 'pending' | 'complete'>('awaiting');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const attempt = async (input: Input): Promise<boolean> => {
    try {
      const proof = await wizard.prove();
      if (!proof) return false;
      await send(input, proof.stepUp);
      await session.refresh();
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) setError(webauthnErrorText(cause, 'registration'));
      else if (!(await wizard.handleRefusal(cause))) setError(cause.message);
      return false;
    }
  };

  /** Resolves to true once the authenticator is registered and the session is refreshed. */
  const register = async (input: Input): Promise<boolean> => {
    setStatus('pending');
    setError(null);
    const isRegistered = await attempt(input);
    setStatus(isRegistered ? 'complete' : 'awaiting');
    return isRegistered;
  };

  return { status, error, register };
}
