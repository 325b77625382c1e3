import { useState } from 'react';
import { ApiError, lockedUntil as readLock, sentenceOf } from '../../lib/api-client.ts';
import { confirmCode, readConfirmation, requestCode } from '../../lib/email-confirmation.ts';
import { useAction } from '../../lib/use-action.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';

/** Setting an e-mail address: request a code, then confirm the address with it. */
export function useEmail() {
  const { api, session, now } = useClient();
  const { id } = useUser();
  const [confirmation, setConfirmation] = useTabState(`email:${id}`, readConfirmation);
  // Kept during the code step, so that a person who goes back can correct it.
  const [address, setAddress] = useState(confirmation?.email ?? '');
  const { pending, error, setError, run: runAction } = useAction();
  const [isAboutCode, setIsAboutCode] = useState(false);
  const [info, setInfo] = useState('');
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);
  const deps = { api, session: { userId: id, token: session.token() } };

  /** Resolves to the error, or null on success. */
  const run = async (work: () => Promise<void>): Promise<unknown> => {
    let failure: unknown = null;
    setIsAboutCode(false);
    setInfo('');
    await runAction(work, (cause) => {
      failure = cause;
      return sentenceOf(cause);
    });
    return failure;
  };

  const request = () =>
    run(async () => {
      setConfirmation(await requestCode(deps, address));
      setLockedUntil(null);
      if (confirmation) setInfo('We sent a new code.');
    });

  const confirm = async (code: string) => {
    if (!confirmation) return null;
    const failure = await run(async () => {
      await confirmCode(deps, confirmation, code);
      await session.refresh();
      setConfirmation(null);
      setAddress('');
      setInfo('E-mail address confirmed.');
    });
    setIsAboutCode(failure instanceof ApiError && failure.code !== null);
    if (failure instanceof ApiError) setLockedUntil(readLock(failure, now()));
    return failure;
  };

  const discard = () => {
    setConfirmation(null);
    setError(null);
    setInfo('');
  };

  const errors = isAboutCode ? { error: null, codeError: error } : { error, codeError: null };
  return {
    confirmation,
    address,
    setAddress,
    pending,
    ...errors,
    info,
    lockedUntil,
    request,
    confirm,
    discard,
  };
}

export type EmailState = ReturnType<typeof useEmail>;
