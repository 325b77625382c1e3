import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-client.ts';
import type { StepUp } from '../../lib/step-up.ts';
import { useClient } from '../../lib/use-client.ts';
import { webauthnSentence } from '../../lib/webauthn-errors.ts';
import type { Wizard } from './use-wizard.ts';

/** The registration of one authenticator. `send` makes it, with the proof that the wizard has. */
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
      if (!(cause instanceof ApiError)) setError(webauthnSentence(cause, 'registration'));
      else if (!(await wizard.refuse(cause))) setError(cause.message);
      return false;
    }
  };

  /** True when it is registered and the session knows of it. */
  const start = async (input: Input): Promise<boolean> => {
    setStatus('pending');
    setError(null);
    const registered = await attempt(input);
    setStatus(registered ? 'complete' : 'awaiting');
    return registered;
  };

  return { status, error, start };
}
