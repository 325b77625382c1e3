import { useEffect } from 'react';
import { InternalLink } from '../../components/controls.tsx';
import { deploymentsWait } from '../../lib/asked-texts.ts';
import { useClient } from '../../lib/react/use-client.ts';
import { totalText, useInbox } from '../../lib/react/use-inbox.ts';
import { ago } from '../../lib/times.ts';
import styles from './inbox.module.css';
import { NO_FILTERS } from './inbox-query.ts';

/**
 * Shows in the top bar and in every title how many pull requests are asked of the person; in the bar as a link to them.
 * If there are none, a dot says that others are open to anyone, or that a deployment waits.
 */
export default function InboxCount() {
  const { answer, at, failure } = useInbox();
  const { now } = useClient();
  const { forYou = 0, mayApprove = 0, deployments = [] } = answer ?? {};
  const number = forYou > 0 ? totalText(forYou) : null;
  const age = failure === null ? '' : `, as of ${ago(new Date(at).toISOString(), now())}`;
  const isEmpty = forYou + mayApprove + deployments.length === 0;
  useTitlePrefix(isEmpty ? '' : number ? `(${number}) ` : '\u2022 ');
  if (isEmpty) return null;
  return (
    <InternalLink
      className={styles.count}
      to="/"
      query={NO_FILTERS}
      title={age ? `${number ?? totalText(mayApprove)}${age}` : undefined}
    >
      <span className={number ? styles.number : styles.dot}>{number}</span>
      <span className="visually-hidden">
        {number
          ? waitText(forYou, 'for you')
          : mayApprove > 0 && totalText(mayApprove) + waitText(mayApprove, 'for any member')}
        {deployments.length > 0 && ` ${deploymentsWait(deployments.length)}`}
        {age}
      </span>
    </InternalLink>
  );
}

/** The words after the number. */
const waitText = (count: number, forWhom: string) =>
  `${count === 1 ? ' pull request waits' : ' pull requests wait'} ${forWhom}`;

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
