import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError } from './api-client.ts';
import { type Action, type Proof, proveByCode, proveByKey } from './step-up.ts';
import { useClient } from './use-client.ts';
import { webauthnSentence } from './webauthn-errors.ts';

/** The proof of one action: how it is asked for, and why there is none yet. */
export type StepUpState = ReturnType<typeof useStepUp>;

/** Says in the address that the person prefers the code, so that a reload keeps their choice. */
export const PREFER_CODE = { stepUp: 'totp' };

export function useStepUp(action: Action) {
  const { api, now: clock } = useClient();
  const preferCode = new URLSearchParams(useLocation().search).get('stepUp') === PREFER_CODE.stepUp;
  const [status, setStatus] = useState<'awaiting' | 'pending'>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);
  const now = () => performance.now();

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  /** Null when there is no proof; `error` says why. */
  const byKey = async (): Promise<Proof | null> => {
    setStatus('pending');
    setError(null);
    try {
      return await proveByKey({ api, now }, action);
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : webauthnSentence(cause, 'authentication'));
      return null;
    } finally {
      setStatus('awaiting');
    }
  };

  const byCode = (otp: string): Proof => {
    setError(null);
    return proveByCode(action, otp, now());
  };

  /** The action was refused because of its proof. */
  const refuse = ({ status, message, retryAfter }: ApiError) => {
    setError(message);
    if (status === 429) setLockedUntil(clock() + (retryAfter ?? 60) * 1000);
  };

  return { preferCode, status, error, lockedUntil, byKey, byCode, refuse };
}
