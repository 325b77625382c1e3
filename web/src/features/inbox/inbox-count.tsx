import { useEffect } from 'react';
import { InternalLink } from '../../components/internal-link.tsx';
import { totalText, useInbox } from '../../lib/use-inbox.ts';
import styles from './inbox.module.css';

/** For the top bar: how many pull requests wait for the person, as a link to them, and in the title of every page. */
export default function InboxCount() {
  const total = useInbox().answer?.total ?? 0;
  useTitlePrefix(total === 0 ? '' : `(${totalText(total)}) `);
  if (total === 0) return null;
  return (
    <InternalLink className={styles.count} to="/">
      <span className={styles.number}>{totalText(total)}</span>
      <span className="visually-hidden">
        {total === 1 ? ' pull request waits for you' : ' pull requests wait for you'}
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
