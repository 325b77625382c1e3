import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { useSessionState } from '../../lib/use-client.ts';
import { useInbox } from '../../lib/use-inbox.ts';
import styles from './inbox.module.css';
import { InboxRow, InboxRowSkeleton } from './inbox-row.tsx';
import { waitingText } from './inbox-texts.ts';
import { keyOf } from './merge-rows.ts';
import { SelectedBar } from './selected-bar.tsx';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';

/** The pull requests that wait for the person, over all their organizations, the longest waiting first, live. */
export function Inbox() {
  const { answer, failure } = useInbox();
  const { rows, removeGone } = useRows(answer);
  const { isSelected, toggle, selected } = useSelection(rows);
  const gone = rows.filter((row) => row.gone).length;
  const isLoading = !answer && failure === null;
  return (
    <Card title="Inbox" busy={isLoading} banner={failure !== null && <Failure text={failure} />}>
      <p role="status" className={styles.summary}>
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
        <Button look="secondary" onClick={removeGone}>
          Remove {gone === 1 ? 'the one that no longer waits' : `the ${gone} that no longer wait`}
        </Button>
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
