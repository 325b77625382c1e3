import { useEffect } from 'react';
import { InternalLink } from '../../components/controls.tsx';
import { useClient } from '../../lib/react/use-client.ts';
import { countIn, totalText, useInbox } from '../../lib/react/use-inbox.ts';
import { ago } from '../../lib/times.ts';
import styles from './inbox.module.css';
import { NO_FILTERS } from './inbox-query.ts';

/**
 * Shows in the top bar and in every title how many pull requests and deployments are asked of the person; in the bar as a
 * link to them. If there are none, a dot says that others are open to anyone.
 */
export default function InboxCount() {
  const { answer, at, failure } = useInbox();
  const { now } = useClient();
  const asked = answer && countIn(answer, 'for-you');
  const shown = asked?.count ? asked : answer && countIn(answer, 'may-approve');
  const number = shown === asked && shown ? totalText(shown.count) : null;
  const age = failure === null ? '' : `, as of ${ago(new Date(at).toISOString(), now())}`;
  const isEmpty = !shown || shown.count === 0;
  useTitlePrefix(isEmpty ? '' : number ? `(${number}) ` : '\u2022 ');
  if (isEmpty) return null;
  return (
    <InternalLink
      className={styles.count}
      to="/"
      query={NO_FILTERS}
      title={age ? `${totalText(shown.count)}${age}` : undefined}
    >
      <span className={number ? styles.number : styles.dot} aria-hidden>
        {number}
      </span>
      <span className="visually-hidden">
        {shown.words} {shown.count === 1 ? 'waits' : 'wait'} for {number ? 'you' : 'any member'}
        {age}
      </span>
    </InternalLink>
  );
}

/** Pages set the title without knowing of the prefix, so that the approval page needs no code for it. */
function useTitlePrefix(prefix: string): void {
  useEffect(() => {
    const apply = () => {
      const title = prefix + document.title.replace(/^(\([\d,]+\+?\)|\u2022) /, '');
      if (document.title !== title) document.title = title;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [prefix]);
}
