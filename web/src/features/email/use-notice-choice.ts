import { useCallback, useRef, useState } from 'react';
import type { NoticeChoice, NoticeChoiceAnswer } from '../../../../src/contract/inbox.ts';
import { sentenceOf } from '../../lib/api-client.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

const CALL = '/notice-choice';

/** The person's choice about e-mails for pull requests that wait for them, which is saved as soon as it's made. */
export function useNoticeChoice() {
  const { api } = useClient();
  const load = useCallback(() => api.post<NoticeChoiceAnswer>(CALL, {}), [api]);
  const { loaded, setLoaded, reload } = useLoaded(load);
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  // Arrow keys pass several choices: the last one decides, and its answer is the one that's shown.
  const latest = useRef<Promise<unknown>>(Promise.resolve());

  const choose = async (choice: NoticeChoice) => {
    if (loaded.status !== 'ok') return;
    const before = loaded.value;
    setError(null);
    setInfo('');
    setLoaded({ status: 'ok', value: { ...before, choice } });
    const saving = latest.current.then(() => api.post<NoticeChoiceAnswer>(CALL, { choice }));
    const settled = saving.catch(() => undefined);
    latest.current = settled;
    try {
      const value = await saving;
      if (latest.current !== settled) return;
      setLoaded({ status: 'ok', value });
      setInfo('Saved.');
    } catch (cause) {
      if (latest.current !== settled) return;
      setLoaded({ status: 'ok', value: before });
      setError(sentenceOf(cause));
    }
  };

  return { loaded, reload, error, info, choose: (choice: NoticeChoice) => void choose(choice) };
}
