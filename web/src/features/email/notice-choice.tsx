import type { NoticeChoice as Choice } from '../../../../src/contract/inbox.ts';
import { Banner } from '../../components/banner.tsx';
import { loadFailure } from '../../components/load-failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import styles from './email.module.css';
import { useNoticeChoice } from './use-notice-choice.ts';

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
            <p key={choice} className={styles.loading}>
              <Skeleton like={text} />
            </p>
          ),
        )}
      {answer && !answer.hasAddress && <p>You get none of these e-mails until you confirm an address.</p>}
      <p role="status">{info}</p>
    </fieldset>
  );
}
