import { useState } from 'react';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import { ApiError, lockedUntil as readLock } from '../api/api-client.ts';
import { useClient } from './use-client.ts';

const CODE_REFUSED: readonly (ProblemCode | null)[] = ['wrongCode', 'usedCode', 'tooManyCodes'];

/**
 * A typed one-time code. `refused` empties the field if the server's refusal was about the code.
 *
 * @param first 1 if the field takes the focus when it appears, else 0.
 */
export function useCode(first: 0 | 1 = 1) {
  const { now } = useClient();
  const [code, setCode] = useState('');
  const [focus, setFocus] = useState<number>(first);
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);

  const takeFocus = () => setFocus((count) => count + 1);
  const refused = (error: unknown) => {
    if (!(error instanceof ApiError) || error.mayPass) return;
    setLockedUntil(readLock(error, now()));
    // A refusal for any other reason didn't use the code up.
    if (!CODE_REFUSED.includes(error.code)) return;
    setCode('');
    takeFocus();
  };
  return { field: { code, onChange: setCode, lockedUntil, focus }, takeFocus, refused };
}
