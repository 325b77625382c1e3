import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { BatchAnswer, BatchItem, ShownFiles } from '../../../../src/contract/approvals.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Avatar } from '../../components/avatar.tsx';
import { Card } from '../../components/card.tsx';
import { ActionLink, actionLink, Button, GithubLink, SignButton } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { NotYou } from '../../components/not-you.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { usePageContext, usePageState, useUser } from '../../lib/react/use-client.ts';
import { useTabState } from '../../lib/react/use-tab-state.ts';
import { type BatchChoice, batchKey } from '../../lib/signing/batch-choice.ts';
import { isBatchItem, isLeftOut } from '../../lib/signing/check-batch.ts';
import { sameName } from '../../lib/signing/check-statement.ts';
import styles from './batch.module.css';
import { BatchItemRow, BatchItemSkeleton, LeftOutList } from './batch-item.tsx';
import {
  approveText,
  isPassed,
  keyOf,
  nameOf,
  pullRequests,
  reasonToLook,
  resultText,
  resultTitle,
} from './batch-texts.ts';
import { type Batch, useBatch } from './use-batch.ts';

/** `/approve-batch`: approves the pull requests that the person selected in the inbox, with one signature. */
export function BatchPage() {
  const { id } = useUser();
  const { ownerID } = usePageContext();
  // The key makes another organization's batch another page.
  return <StoredBatch key={`${id} ${ownerID}`} storageKey={batchKey(id, ownerID)} ownerID={ownerID} />;
}

function StoredBatch({ storageKey, ownerID }: { storageKey: string; ownerID: string }) {
  const [stored] = useTabState<BatchChoice>(storageKey);
  // Effects depend on its identity, and it's removed from the tab once it's approved.
  const [choice] = useState(stored);
  if (choice && String(choice.org.id) === ownerID) return <BatchCard choice={choice} />;
  return (
    <Card title="Approve pull requests">
      <p>Nothing is selected. Select pull requests in your inbox first.</p>
      <Link className={actionLink} to="/">
        Go to the inbox
      </Link>
    </Card>
  );
}

/** Shows what is approved, by whom and how, what is left out, and one button; then the outcome of each. */
function BatchCard({ choice }: { choice: BatchChoice }) {
  const { batch, approve, takeOut, reload } = useBatch(choice);
  const { status, request, problem, answer } = batch;
  const isLoading = status === 'loading';
  const items = request?.items.filter(isBatchItem) ?? [];
  const leftOut = request?.items.filter(isLeftOut) ?? [];
  const outcome = answer && { ...answer, left: [...leftOut, ...answer.left] };
  /** The rows that were open, with the files that they showed. */
  const [looks, setLooks] = useState(new Map<string, ShownFiles | null>());
  const look = useCallback(
    (key: string, files: ShownFiles | null) => setLooks((before) => new Map(before).set(key, files)),
    [],
  );
  const filesOf = (item: BatchItem) => looks.get(keyOf(item)) ?? item.files;
  const next = items.find((item) => reasonToLook(item.files) !== null && !looks.has(keyOf(item)));
  const reasons = isLoading ? choice.items.map(() => null) : items.map((item) => reasonToLook(filesOf(item)));
  const list = useRef<HTMLOListElement>(null);
  const remove = (item: BatchItem) => {
    takeOut(item);
    // The pressed button is gone. The list says how many are left.
    list.current?.focus();
  };
  return (
    <Card wide title={outcome ? resultTitle(outcome) : 'Approve pull requests'} busy={isLoading}>
      {outcome ? (
        <BatchResult outcome={outcome} items={items} choice={choice} />
      ) : (
        <>
          <SecurityImages />
          <ol
            aria-label={pullRequests(items.length)}
            ref={list}
            tabIndex={-1}
            className="stack"
            hidden={!isLoading && items.length === 0}
          >
            {isLoading
              ? choice.items.map((item) => (
                  <BatchItemSkeleton key={`${item.repoID} ${item.pr}`} item={item} />
                ))
              : items.map((item) => (
                  <BatchItemRow
                    key={keyOf(item)}
                    item={item}
                    files={filesOf(item)}
                    onLook={look}
                    onTakeOut={items.length > 1 ? () => remove(item) : undefined}
                  />
                ))}
          </ol>
          <LeftOutList leftOut={leftOut} choice={choice} />
          {(request || isLoading) && <Approver />}
          <ActionError keepsRoom text={problem?.text ?? null} />
          <NextStep
            batch={batch}
            label={next ? `Look at ${nameOf(next)} first` : approveText(reasons)}
            onPress={next ? () => open(next) : approve}
            reload={reload}
          />
          <div className="spread target">
            <LeaveLink className="target">Decide later</LeaveLink>
            <NotYou />
          </div>
        </>
      )}
    </Card>
  );
}

function Approver() {
  const { username, avatar } = useUser();
  return (
    <div className="row divided">
      <Avatar login={username} src={avatar} />
      <p>
        <strong>{username}</strong> approves all of them with one touch of a passkey or security key
      </p>
    </div>
  );
}

/** Leads to the tab and the filters of the inbox that the person came from. */
function LeaveLink(props: { className: string; children: string }) {
  const { inbox = '' } = usePageState();
  return <Link {...props} to={`/${inbox}`} />;
}

const BackToInbox = () => <LeaveLink className={actionLink}>Back to the inbox</LeaveLink>;

/** Opens a row, and leads the person there. */
function open(item: BatchItem): void {
  const fold = document.getElementById(keyOf(item)) as HTMLDetailsElement;
  fold.open = true;
  fold.querySelector('summary')?.focus();
}

type Props = { batch: Batch; label: string; onPress: () => void; reload: () => void };

/**
 * The page's main action: the button that approves, or that leads to what the person has to see before, unless a problem
 * requires another step first.
 */
function NextStep({ batch: { status, problem }, label, onPress, reload }: Props) {
  switch (problem?.next) {
    case 'register':
      return (
        <ActionLink to="/register" query={{ redirectURL: keepQuery('/', '') }}>
          Register an authenticator
        </ActionLink>
      );
    case 'inbox':
      return <BackToInbox />;
    case 'reload':
      return <Button onClick={reload}>Try again</Button>;
    default:
      return <SignButton status={status} action={label} busyAction="Approving" onClick={onPress} />;
  }
}

/** `outcome` is the answer, with the items left out before the signature. */
type BatchResultProps = { outcome: BatchAnswer; items: BatchItem[]; choice: BatchChoice };

/** The outcome of each pull request. It takes the focus from the button that it replaces. */
function BatchResult({ outcome, items, choice }: BatchResultProps) {
  const { approved, left } = outcome;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  const titleOf = ({ repo, pr }: { repo: string; pr: number }) =>
    items.find(({ statement, target }) => statement.pr === pr && sameName(target.repo, repo))?.pull.title;
  return (
    <div ref={ref} className="stack" tabIndex={-1}>
      <p role="status">{resultText(outcome)}</p>
      <ul aria-label="Your approvals">
        {approved.map((one) => (
          <li key={`${one.repo} ${one.pr}`} className={`row success ${styles.approved}`}>
            {isPassed(one) && <Icon path={checkIcon} />}
            <div>
              <GithubLink href={one.redirect}>
                <bdi>
                  {choice.org.name}/{one.repo} #{one.pr}
                </bdi>
              </GithubLink>{' '}
              <bdi>{titleOf(one)}</bdi>
              {!one.passed && <p>You approved. {one.needs}</p>}
              {!one.reported && (
                <p>Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying.</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <LeftOutList leftOut={left} choice={choice} titleOf={titleOf} />
      <BackToInbox />
    </div>
  );
}
