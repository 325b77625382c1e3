import { useEffect, useState } from 'react';
import type { PullChangesAnswer } from '../../../../src/contract/approvals.ts';
import { Button } from '../../components/controls.tsx';
import { codeOf, sentenceOf } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { type Loaded, useClient, usePageContext } from '../../lib/react/use-client.ts';
import { useCopy } from '../../lib/react/use-copy.ts';
import styles from './approval.module.css';
import { requireApprovalTarget } from './approval-target.ts';

export type Changes = Loaded<PullChangesAnswer>;

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
      <Button variant="link" onClick={copy}>
        Copy<span className="visually-hidden"> the full hash</span>
      </Button>
      <span role="status">{message}</span>
    </span>
  );
}
