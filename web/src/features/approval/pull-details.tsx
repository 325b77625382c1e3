import { useEffect, useState } from 'react';
import type { ApprovalParamsAnswer, PullChangesAnswer } from '../../../../src/contract/approvals.ts';
import { Button, GithubLink } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { Commit, inOrder, Skeleton } from '../../components/text.tsx';
import { codeOf, sentenceOf } from '../../lib/api/api-client.ts';
import { sizeText } from '../../lib/pull-texts.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { type Loaded, useClient, usePageContext } from '../../lib/react/use-client.ts';
import { useCopy } from '../../lib/react/use-copy.ts';
import styles from './approval.module.css';
import { requireApprovalTarget } from './approval-target.ts';

type Props = { request: ApprovalParamsAnswer; approved: boolean };

/** Shows what helps to decide and isn't signed. The message comes after the page, and its failure delays nothing. */
export function PullDetails({ request: { pull, statement }, approved }: Props) {
  const loaded = usePullChanges();
  const same = loaded.status === 'ok' ? loaded.value.sameFilesAs : null;
  return (
    <>
      <Detail name="Changes">{pull.size ? sizeText(pull.size) : 'Not available'}</Detail>
      <Detail name="Message">
        <Message loaded={loaded} />
      </Detail>
      {pull.approvedBefore && (
        <Detail name="Earlier approval">
          <Earlier sha={pull.approvedBefore} same={same} approved={approved} statement={statement} />
        </Detail>
      )}
    </>
  );
}

/** The first line, on up to two; the others on request, so that nothing below moves when the message arrives. */
function Message({ loaded }: { loaded: Loaded<PullChangesAnswer> }) {
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

type EarlierProps = Pick<Props, 'approved'> & {
  sha: string;
  same: PullChangesAnswer['sameFilesAs'];
  statement: ApprovalParamsAnswer['statement'];
};

/** After a rebase, the comparison with three dots would begin before the earlier commit. */
function Earlier({ sha, same, approved, statement: { repo, head } }: EarlierProps) {
  const { github } = useClient().config;
  if (same?.head === sha)
    return (
      <>
        Same files as commit <Commit sha={sha} />, which {same.byYou ? 'you' : 'someone'} approved before.
      </>
    );
  return (
    <>
      Earlier commit <Commit sha={sha} /> has an approval.{!approved && ' This one needs its own.'}{' '}
      <GithubLink href={`${github}/${repo.name}/compare/${sha}..${head}`} newTab>
        See what changed since then
      </GithubLink>
    </>
  );
}

/** The head's commit message, and whether its files were approved before. The approval page loads no cache for it. */
function usePullChanges(): Loaded<PullChangesAnswer> {
  const { api, session } = useClient();
  const context = usePageContext();
  const [loaded, setLoaded] = useState<Loaded<PullChangesAnswer>>({ status: 'awaiting' });
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
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
  }, [api, session, context, attempt]);
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
