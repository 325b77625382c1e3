import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-client.ts';
import { registrationErrorText } from '../../lib/registration-errors.ts';
import { inPhases, type Phase } from '../../lib/use-ceremony.ts';
import { useClient } from '../../lib/use-client.ts';
import type { Proofs } from './proofs.ts';
import type { CreateCredential } from './register-webauthn.ts';
import type { Wizard } from './use-wizard.ts';

/**
 * The registration of one authenticator. `send` makes the call, with the wizard's proofs if some are needed, and
 * with what asks for a new credential.
 */
export function useRegistration<Input, Answer>(
  wizard: Pick<Wizard, 'prove' | 'handleRefusal'>,
  send: (input: Input, proofs: Proofs, create: CreateCredential) => Promise<Answer>,
) {
  const { session } = useClient();
  const [status, setStatus] = useState<'awaiting' | Phase | 'complete'>('awaiting');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const attempt = async (input: Input): Promise<Answer | null> => {
    try {
      const proofs = await wizard.prove();
      if (!proofs) return null;
      const create: CreateCredential = (optionsJSON) => startRegistration({ optionsJSON });
      const answer = await send(input, proofs, inPhases(create, setStatus));
      await session.refresh();
      return answer;
    } catch (cause) {
      if (!(cause instanceof ApiError)) setError(registrationErrorText(cause));
      else if (!(await wizard.handleRefusal(cause))) setError(cause.message);
      return null;
    }
  };

  /** Resolves to the answer once the authenticator is registered and the session is refreshed, or to null. */
  const register = async (input: Input): Promise<Answer | null> => {
    setStatus('pending');
    setError(null);
    const answer = await attempt(input);
    setStatus(answer ? 'complete' : 'awaiting');
    return answer;
  };

  return { status, error, register };
}
