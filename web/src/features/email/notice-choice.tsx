import { useCallback, useRef, useState } from 'react';
import type { NoticeChoice as Choice, NoticeChoiceAnswer } from '../../../../src/contract/inbox.ts';
import { Banner } from '../../components/banner.tsx';
import { loadFailure } from '../../components/load-failure.tsx';
import { SkeletonLine } from '../../components/skeleton.tsx';
import { sentenceOf } from '../../lib/api-client.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import styles from './email.module.css';

const CHOICES: Record<Choice, string> = {
  off: 'Off',
  'at-once': 'At once',
  daily: 'Once a day, at 07:00 UTC',
};
const ENTRIES = Object.entries(CHOICES) as [Choice, string][];

/** When the person gets an e-mail about a pull request that waits for them. */
export function NoticeChoice() {
  const { loaded, reload, error, info, choose } = useNoticeChoice();
  const answer = loaded.status === 'ok' ? loaded.value : null;
  return (
    <fieldset className={styles.choice} aria-busy={loaded.status === 'awaiting' || undefined}>
      <legend>When a pull request waits for you</legend>
      {error !== null && <Banner text={error} />}
      {loadFailure(loaded, reload, "Your choice can't be shown.")}
      <p className={styles.quiet}>
        A rule names you, your review is requested, or nobody else is left to approve it. You get at most one
        e-mail for each commit.
      </p>
      {loaded.status !== 'failed' &&
        ENTRIES.map(([choice, text]) =>
          answer ? (
            <label key={choice}>
              <input
                type="radio"
                name="notices"
                checked={answer.choice === choice}
                onChange={() => choose(choice)}
              />
              {text}
            </label>
          ) : (
            <SkeletonLine key={choice} className={styles.loading} like={text} />
          ),
        )}
      {answer && !answer.hasAddress && <p>You get none of these e-mails until you confirm an address.</p>}
      <p role="status">{info}</p>
    </fieldset>
  );
}

const CALL = '/notice-choice';

/** The person's choice about e-mails for pull requests that wait for them, which is saved as soon as it's made. */
function useNoticeChoice() {
  const { api } = useClient();
  const load = useCallback(() => api.post<NoticeChoiceAnswer>(CALL, {}), [api]);
  const { loaded, setLoaded, reload } = useLoaded(load);
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  // Arrow keys pass several choices: the last one decides, and its answer is the one that's shown.
  const latest = useRef<Promise<unknown>>(Promise.resolve());

  const choose = async (choice: Choice) => {
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

  return { loaded, reload, error, info, choose: (choice: Choice) => void choose(choice) };
}
