import { useEffect } from 'react';
import { InternalLink } from '../../components/controls.tsx';
import { useClient } from '../../lib/react/use-client.ts';
import { totalText, useInbox } from '../../lib/react/use-inbox.ts';
import { ago } from '../../lib/times.ts';
import styles from './inbox.module.css';
import { NO_FILTERS } from './inbox-query.ts';

/** Shows in the top bar and in every title how many pull requests wait for the person; in the bar as a link to them. */
export default function InboxCount() {
  const { answer, at, failure } = useInbox();
  const { now } = useClient();
  const total = answer?.forYou ?? 0;
  const age = failure === null ? '' : `, as of ${ago(new Date(at).toISOString(), now())}`;
  useTitlePrefix(total === 0 ? '' : `(${totalText(total)}) `);
  if (total === 0) return null;
  return (
    <InternalLink
      className={styles.count}
      to="/"
      query={NO_FILTERS}
      title={age ? `${totalText(total)}${age}` : undefined}
    >
      <span className={styles.number}>{totalText(total)}</span>
      <span className="visually-hidden">
        {total === 1 ? ' pull request waits for you' : ' pull requests wait for you'}
        {age}
      </span>
    </InternalLink>
  );
}

/** Pages set the title without knowing of the prefix, so that the approval page needs no code for it. */
function useTitlePrefix(prefix: string): void {
  useEffect(() => {
    const apply = () => {
      const title = prefix + document.title.replace(/^\(\d+\+?\) /, '');
      if (document.title !== title) document.title = title;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [prefix]);
}
