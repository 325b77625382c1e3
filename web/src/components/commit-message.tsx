import type { PullChangesAnswer } from '../../../src/contract/approvals.ts';
import type { Loaded } from '../lib/react/use-client.ts';
import styles from './commit-message.module.css';
import { inOrder, Skeleton } from './text.tsx';

/** The first line, on up to two; the others on request, so that nothing below moves when the message arrives. */
export function CommitMessage({ loaded }: { loaded: Loaded<PullChangesAnswer> }) {
  const message = loaded.status === 'ok' ? loaded.value.message && inOrder(loaded.value.message) : null;
  if (message === null)
    return (
      <span className={styles.subject}>
        {loaded.status === 'awaiting' ? (
          <Skeleton like="Say what it changes" />
        ) : (
          `Couldn't load the message. ${loaded.status === 'failed' ? loaded.text : ''}`
        )}
      </span>
    );
  const [subject = '', ...rest] = message.trim().split('\n');
  const body = rest.join('\n').trim();
  const isCut = loaded.status === 'ok' && loaded.value.isCut;
  if (!body && !isCut)
    return (
      <span className={styles.subject} title={subject}>
        <bdi>{subject || 'Empty'}</bdi>
      </span>
    );
  return (
    <details className={styles.message}>
      <summary>
        <span className={styles.subject}>
          <bdi>{subject}</bdi>
        </span>
      </summary>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        <bdi>{message}</bdi>
        {isCut && '\n… GitHub has the rest.'}
      </pre>
    </details>
  );
}
