import { useState } from 'react';
import { ApiError } from '../../lib/api-client.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useKept } from '../../lib/use-kept.ts';
import { confirmCode, EmailRefused, readConfirmation, requestCode } from './confirmation.ts';

/** The way of one address: `awaiting` it, a request is `pending`, or its code is being `confirming`. */
export function useEmail() {
  const { api, session, now } = useClient();
  const { id } = useUser();
  const [confirmation, keep] = useKept(`email:${id}`, readConfirmation);
  // Outlives the way to the code and back, so that a mistake in it can be mended.
  const [address, setAddress] = useState(confirmation?.email ?? '');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);
  const deps = { api, session: { userId: id, token: session.token() } };

  /** Resolves to what it failed with; null where it did not. */
  const attempt = async (work: () => Promise<void>): Promise<unknown> => {
    setPending(true);
    setError(null);
    setInfo('');
    try {
      await work();
      return null;
    } catch (cause) {
      setError(
        cause instanceof ApiError || cause instanceof EmailRefused
          ? cause.message
          : `Unknown error: ${String(cause)}`,
      );
      return cause;
    } finally {
      setPending(false);
    }
  };

  const request = () =>
    attempt(async () => {
      keep(await requestCode(deps, address));
      setLockedUntil(null);
      if (confirmation) setInfo('A new code is on its way.');
    });

  const confirm = async (code: string) => {
    if (!confirmation) return null;
    const failure = await attempt(async () => {
      await confirmCode(deps, confirmation, code);
      await session.refresh();
      keep(null);
      setAddress('');
      setInfo('E-mail address confirmed.');
    });
    if (failure instanceof ApiError && failure.status === 429)
      setLockedUntil(now() + (failure.retryAfter ?? 60) * 1000);
    return failure;
  };

  const drop = () => {
    keep(null);
    setError(null);
    setInfo('');
  };

  return { confirmation, address, setAddress, pending, error, info, lockedUntil, request, confirm, drop };
}

export type EmailState = ReturnType<typeof useEmail>;
