import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError, lockedUntil as readLock } from '../api/api-client.ts';
import { useClient } from '../react/use-client.ts';
import { inPhases, type Phase, StatementRefused } from './sign-shown.ts';
import {
  type Action,
  type ChallengeAnswer,
  type CheckChallenge,
  type Proof,
  proveByCode,
  proveByKey,
} from './step-up.ts';
import { useSignDeps } from './use-signing.ts';
import { webauthnErrorText } from './webauthn-errors.ts';

/** Makes the proof of one action, and says why there is none yet. */
export type StepUpState = ReturnType<typeof useStepUp>;

/** The query parameter that keeps the person's choice of a code across a reload. */
export const PREFER_CODE = { stepUp: 'totp' };

/** @param check Called with what the server requests a signature for, before the authenticator is. */
export function useStepUp<Answer extends ChallengeAnswer = ChallengeAnswer>(
  action: Action,
  check?: CheckChallenge<Answer>,
) {
  const { now: clock } = useClient();
  const deps = useSignDeps();
  const preferCode = new URLSearchParams(useLocation().search).get('stepUp') === PREFER_CODE.stepUp;
  const [status, setStatus] = useState<'awaiting' | Phase>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [isByCode, setIsByCode] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  /** Resolves to null if there is no proof; `error` then says why. */
  const byKey = async (): Promise<Proof | null> => {
    setStatus('pending');
    setError(null);
    setIsByCode(false);
    try {
      return await proveByKey({ ...deps, sign: inPhases(deps.sign, setStatus) }, action, check);
    } catch (cause) {
      const isSentence = cause instanceof ApiError || cause instanceof StatementRefused;
      setError(isSentence ? cause.message : webauthnErrorText(cause));
      return null;
    } finally {
      setStatus('awaiting');
    }
  };

  const byCode = (otp: string): Proof => {
    setError(null);
    setIsByCode(true);
    return proveByCode(action, otp, deps.now());
  };

  /** Shows the server's refusal of a proof, and locks the code field if the server did. */
  const refuse = (refusal: ApiError) => {
    setError(refusal.message);
    setRefusals((count) => count + 1);
    setLockedUntil(readLock(refusal, clock()));
  };

  return {
    preferCode,
    status,
    /** The error for a banner. An error about a code is shown at its field. */
    error: isByCode ? null : error,
    codeError: isByCode ? error : null,
    refusals,
    lockedUntil,
    proveByKey: byKey,
    proveByCode: byCode,
    refuse,
  };
}
