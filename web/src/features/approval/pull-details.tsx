import { useEffect, useState } from 'react';
import type { ApprovalParamsAnswer, PullChangesAnswer } from '../../../../src/contract/approvals.ts';
import { Button } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { inOrder, Skeleton } from '../../components/text.tsx';
import { codeOf, sentenceOf } from '../../lib/api/api-client.ts';
import { sizeText } from '../../lib/pull-texts.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { type Loaded, useClient, usePageContext } from '../../lib/react/use-client.ts';
import { useCopy } from '../../lib/react/use-copy.ts';
import styles from './approval.module.css';
import { requireApprovalTarget } from './approval-target.ts';

type Props = { request: ApprovalParamsAnswer; changes: Changes };

export type Changes = Loaded<PullChangesAnswer>;

/** Shows what helps to decide and isn't signed. The message comes after the page, and its failure delays nothing. */
export function PullDetails({ request: { pull }, changes }: Props) {
  return (
    <>
      <Detail name="Changes">{pull.size ? sizeText(pull.size) : 'Not available'}</Detail>
      <Detail name="Message">
        <Message loaded={changes} />
      </Detail>
    </>
  );
}

/** The first line, on up to two; the others on request, so that nothing below moves when the message arrives. */
function Message({ loaded }: { loaded: Changes }) {
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

/** The head's commit message, and whether its files were approved before. The approval page loads no cache for it. */
export function usePullChanges(isWanted: boolean): Changes {
  const { api, session } = useClient();
  const context = usePageContext();
  const [loaded, setLoaded] = useState<Changes>({ status: 'awaiting' });
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const ask = async () => {
      const body = { ...requireApprovalTarget(context), accessToken: session.accessToken() };
      return api.post('/pull-changes', body, signal);
    };
    setLoaded({ status: 'awaiting' });
    ask().then(
      (value) => signal.aborted || setLoaded({ status: 'ok', value }),
      (error) =>
        signal.aborted || setLoaded({ status: 'failed', code: codeOf(error), text: sentenceOf(error) }),
    );
    return () => leaving.abort();
  }, [api, session, context, attempt, isWanted]);
  const isUnanswered = loaded.status === 'failed' && loaded.code === null;
  useBackOnline(isUnanswered ? () => setAttempt((now) => now + 1) : null);
  return loaded;
}

/** Copies the whole hash, of which the page shows the first characters. */
export function CopyHash({ sha }: { sha: string }) {
  const { message, copy } = useCopy(sha);
  return (
    <span className={styles.copy}>
      <Button variant="bar" onClick={copy}>
        Copy<span className="visually-hidden"> the full hash</span>
      </Button>
      <span role="status">{message}</span>
    </span>
  );
}
