import { useEffect, useState } from 'react';
import type { ApprovalParamsAnswer, PullChangesAnswer } from '../../../../src/contract/approvals.ts';
import { CommitMessage } from '../../components/commit-message.tsx';
import { Button } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
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
        <CommitMessage loaded={changes} />
      </Detail>
    </>
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
