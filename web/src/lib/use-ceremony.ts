import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect } from 'react';

/** The step that a person waits for after their press: `signing` while their authenticator is asked, else `pending`. */
export type Phase = 'pending' | 'signing';

/** Wraps what asks the authenticator: `enter` gets each phase, and the call that follows is a phase of its own. */
export const inPhases =
  <Options, Answer>(sign: (options: Options) => Promise<Answer>, enter: (phase: Phase) => void) =>
  async (options: Options): Promise<Answer> => {
    enter('signing');
    const answer = await sign(options);
    enter('pending');
    return answer;
  };

/**
 * Loads what a ceremony needs when the page opens and when `load` changes. Leaving the page aborts the request and
 * cancels the ceremony.
 */
export function useCeremony(load: (signal: AbortSignal) => Promise<void>) {
  useEffect(() => {
    const unmounted = new AbortController();
    void load(unmounted.signal);
    return () => {
      unmounted.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load]);
}
