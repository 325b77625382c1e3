import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { InboxAnswer, InboxPull } from '../../../../src/contract/inbox.ts';
import { Banner, Card } from '../../components/card.tsx';
import { Button, SecondaryButton } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { batchKey, choiceOf, MOST } from '../../lib/batch-choice.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { safePath } from '../../lib/safe-url.ts';
import { useClient, useSessionState, useUser } from '../../lib/use-client.ts';
import { useInbox } from '../../lib/use-inbox.ts';
import styles from './inbox.module.css';
import { InboxRow, InboxRowSkeleton, keyOf, mergeRows, type Row, waitingText } from './inbox-row.tsx';

/** The pull requests that wait for the person, over all their organizations, the longest waiting first, live. */
export function Inbox() {
  const { answer, failure } = useInbox();
  const { rows, removeGone } = useRows(answer);
  const { isSelected, toggle, selected } = useSelection(rows);
  const gone = rows.filter((row) => row.gone).length;
  const isLoading = !answer && failure === null;
  return (
    <Card title="Inbox" busy={isLoading} banner={failure !== null && <Failure text={failure} />}>
      <p role="status" className="row success">
        {answer && answer.total === 0 && <Icon path={checkIcon} />}
        {answer
          ? waitingText(answer.total, answer.pulls.length)
          : isLoading && 'Looking for what waits for you.'}
      </p>
      {answer && rows.length === 0 && (
        <p>A pull request that needs your approval shows up here, and its number in the title of this tab.</p>
      )}
      <ul aria-label="Pull requests" hidden={rows.length === 0 && !isLoading}>
        {isLoading && <InboxRowSkeleton />}
        {rows.map((row) => (
          <InboxRow
            key={keyOf(row.pull)}
            row={row}
            selected={isSelected(row.pull)}
            onToggle={() => toggle(row.pull)}
          />
        ))}
      </ul>
      {gone > 0 && (
        <SecondaryButton onClick={removeGone}>
          Remove {gone === 1 ? 'the one that no longer waits' : `the ${gone} that no longer wait`}
        </SecondaryButton>
      )}
      <SelectedBar selected={selected} />
    </Card>
  );
}

/** The list still works, and asks again by itself. The account says so too if nothing answers. */
function Failure({ text }: { text: string }) {
  const state = useSessionState();
  if (state.status === 'signed-in' && state.fresh === 'failed') return null;
  return <Banner calm text={`${text}\nThis list may be out of date. The page tries again by itself.`} />;
}

/** The list's rows, which keep their places while the page is open. */
function useRows(answer: InboxAnswer | null) {
  const [shown, setShown] = useState<{ answer: InboxAnswer | null; rows: Row[] }>({ answer: null, rows: [] });
  if (answer && answer !== shown.answer) setShown({ answer, rows: mergeRows(shown.rows, answer.pulls) });
  const removeGone = () => setShown({ ...shown, rows: mergeRows([], shown.answer?.pulls ?? []) });
  return { rows: shown.rows, removeGone };
}

/** A new commit has to be selected again. */
const commitOf = (pull: InboxPull) => `${keyOf(pull)} ${pull.head}`;

/** Keeps the selected rows; a row that is gone isn't selected any more. */
function useSelection(rows: Row[]) {
  const [commits, setCommits] = useState<ReadonlySet<string>>(new Set());
  const isSelected = (pull: InboxPull) => commits.has(commitOf(pull));
  const toggle = (pull: InboxPull) => {
    const next = new Set(commits);
    if (!next.delete(commitOf(pull))) next.add(commitOf(pull));
    setCommits(next);
  };
  const selected = rows.filter(({ pull, gone }) => !gone && isSelected(pull)).map(({ pull }) => pull);
  return { isSelected, toggle, selected };
}

const moreThanMost = (more: number) =>
  `At most ${MOST} at once, the longest waiting first. The other ${more === 1 ? 'one stays' : `${more} stay`} here.`;

/** Approves the selected pull requests: one button for each organization, because a key belongs to one. */
function SelectedBar({ selected }: { selected: InboxPull[] }) {
  const orgs = [...new Set(selected.map(({ org }) => org.id))];
  const groups = orgs.map((id) => selected.filter(({ org }) => org.id === id));
  return (
    <>
      <p role="status" className="visually-hidden">
        {selected.length > 0 && `${selected.length} selected`}
      </p>
      {groups.length > 0 && (
        <div className={styles.bar}>
          {groups.map((pulls) => (
            <ApproveButton key={pulls[0]?.org.id} pulls={pulls} named={groups.length > 1} />
          ))}
          {groups.some(({ length }) => length > MOST) && (
            <p>{moreThanMost(Math.max(...groups.map(({ length }) => length - MOST)))}</p>
          )}
        </div>
      )}
    </>
  );
}

/** Leads to the page of a batch, or of the one chosen pull request. */
function ApproveButton({ pulls, named }: { pulls: InboxPull[]; named: boolean }) {
  const { tab, config } = useClient();
  const { id } = useUser();
  const navigate = useNavigate();
  const [first] = pulls;
  if (!first) return null;
  const { org } = first;

  const open = () => {
    if (pulls.length === 1) return navigate(safePath(first.approval, config) ?? '/');
    tab.setItem(batchKey(id, org.id), JSON.stringify(choiceOf(org, pulls)));
    return navigate(keepQuery('/approve-batch', '', { owner: org.name, ownerID: String(org.id) }));
  };
  const count = Math.min(pulls.length, MOST);
  return (
    <Button onClick={() => void open()}>
      {count === 1 ? 'Approve this one' : `Approve ${count} together`}
      {named && ` in ${org.name}`}
    </Button>
  );
}
