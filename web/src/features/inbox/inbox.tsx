import { useMemo, useState } from 'react';
import type { InboxAnswer, InboxPull } from '../../../../src/contract/inbox.ts';
import { Banner, Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { ListPages } from '../../components/list-pages.tsx';
import { WAITS_FOR_YOU_IF } from '../../lib/asked-texts.ts';
import { useSessionState, useUser } from '../../lib/react/use-client.ts';
import { useFilters } from '../../lib/react/use-filters.ts';
import { isSameQuestion, totalText, useInbox } from '../../lib/react/use-inbox.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { MOST } from '../../lib/signing/batch-choice.ts';
import styles from './inbox.module.css';
import { InboxControls, InboxTabs } from './inbox-controls.tsx';
import { INBOX_FILTERS, type InboxFilters, isFiltered, NO_FILTERS, questionOf } from './inbox-query.ts';
import { InboxRow, InboxRowSkeleton } from './inbox-row.tsx';
import { SelectedBar } from './selected-bar.tsx';

/** The server answers with at most this many rows. */
const PAGE_SIZE = 25;

/** The pull requests that wait for the person, over all their organizations, in two tabs, live. */
export function Inbox() {
  const { filters, apply } = useFilters(INBOX_FILTERS);
  const { list, answer, answered, known, failure } = useInboxPage(filters);
  const { tab } = filters;
  const isLoading = !answer && failure === null;
  return (
    <Card title="Inbox" busy={isLoading} banner={failure !== null && <Failure text={failure} />}>
      <InboxTabs tab={tab} answer={known} />
      {known && (
        <InboxControls
          // A tab's search is its own.
          key={tab}
          filters={filters}
          apply={apply}
          answer={answer ?? known}
          count={countOf(known, filters)}
        />
      )}
      <Status filters={filters} answer={answer} isLoading={isLoading} />
      {isLoading && (
        <ul>
          <InboxRowSkeleton />
        </ul>
      )}
      {answer && (
        <ListPages list={list} size={PAGE_SIZE} shown={answer.pulls.length} total={totalText(answer.total)}>
          <Rows key={JSON.stringify(answered)} pulls={answer.pulls} />
        </ListPages>
      )}
    </Card>
  );
}

/** The list still works, and asks again automatically. The account says so too if nothing answers. */
function Failure({ text }: { text: string }) {
  const state = useSessionState();
  if (state.status === 'signed-in' && state.fresh === 'failed') return null;
  return <Banner calm text={`${text}\nThis list may be out of date. The page tries again automatically.`} />;
}

const countOf = (answer: InboxAnswer, { tab }: InboxFilters): number =>
  tab === 'for-you' ? answer.forYou : answer.mayApprove;

type StatusProps = { filters: InboxFilters; answer: InboxAnswer | null; isLoading: boolean };

/** Says how many pull requests there are, and what to do if there are none. */
function Status({ filters, answer, isLoading }: StatusProps) {
  const count = answer && countOf(answer, filters);
  const isDone = count === 0 && filters.tab === 'for-you';
  return (
    <>
      <p role="status" className={isDone ? 'row success' : undefined}>
        {isDone && <Icon path={checkIcon} />}
        {answer ? statusText(filters, answer) : isLoading && 'Looking for what waits for you.'}
      </p>
      {answer?.isComplete === false && (
        <p className="quiet">
          1,000 pull requests or more wait in one of your organizations. This list comes from those that wait
          the longest, so there may be more.
        </p>
      )}
      {isDone && <p className="quiet">{WAITS_FOR_YOU_IF}</p>}
      {isDone && answer && answer.mayApprove > 0 && (
        <p>
          You may approve {totalText(answer.mayApprove)} other{' '}
          {answer.mayApprove === 1 ? 'pull request' : 'pull requests'}.{' '}
          <InternalLink to="/" query={{ ...NO_FILTERS, tab: 'may-approve' }}>
            Show {answer.mayApprove === 1 ? 'it' : 'them'}
          </InternalLink>
        </p>
      )}
    </>
  );
}

const pullRequests = (count: number) =>
  count === 1 ? '1 pull request' : `${totalText(count)} pull requests`;

function statusText(filters: InboxFilters, answer: InboxAnswer): string {
  const count = countOf(answer, filters);
  const isForYou = filters.tab === 'for-you';
  if (count === 0) return isForYou ? "You're all caught up." : 'Nothing else waits that you may approve.';
  if (isFiltered(filters)) {
    if (answer.total === 0) return 'No pull requests match.';
    return `${totalText(answer.total)} of ${pullRequests(count)}`;
  }
  if (!isForYou) return `You may approve ${pullRequests(count)}. So may others.`;
  return `${pullRequests(count)} ${count === 1 ? 'waits' : 'wait'} for you.`;
}

/** The page of the inbox that the filters and the person ask for. The one before stays on the screen while it loads. */
function useInboxPage(filters: InboxFilters) {
  const filtersKey = JSON.stringify(filters);
  const [at, setAt] = useState<{ filtersKey: string; cursors: (string | undefined)[] }>(() => ({
    filtersKey,
    cursors: [undefined],
  }));
  // Other filters begin at their first page.
  const cursors = at.filtersKey === filtersKey ? at.cursors : [undefined];
  const after = cursors.at(-1);
  const question = useMemo(
    () => ({ ...questionOf(filters), ...(after !== undefined && { after }) }),
    [filters, after],
  );
  const { answer: known, question: answered, failure } = useInbox(question);
  const isAnswered = known !== null && isSameQuestion(question, answered);
  const [pageNumber, setPageNumber] = useState(1);
  if (isAnswered && pageNumber !== cursors.length) setPageNumber(cursors.length);

  // Another tab's rows would be a lie below this tab's name.
  const isOfTab = (answered.tab ?? 'for-you') === filters.tab;
  const answer = isOfTab ? known : null;
  const turn = (next: (string | undefined)[]) => setAt({ filtersKey, cursors: next });
  const list = {
    answer,
    pageNumber,
    busy: !isAnswered && failure === null,
    next: () => answer?.next != null && turn([...cursors, answer.next]),
    previous: () => turn(cursors.slice(0, -1)),
  };
  return { list, answer, answered, known, failure };
}

/** A new commit has to be selected again. */
const commitOf = ({ repoID, pr, head }: InboxPull) => `${repoID} ${pr} ${head}`;

/** The rows of a page, with what is selected of them and the button that approves it. */
function Rows({ pulls }: { pulls: InboxPull[] }) {
  const user = useUser();
  const [commits, setCommits] = useState<ReadonlySet<string>>(new Set());
  const hasKey = ({ org }: InboxPull) => authenticatorsOf(user, String(org.id)).webauthn.length > 0;
  const isSelected = (pull: InboxPull) => commits.has(commitOf(pull));
  const toggle = (pull: InboxPull) => {
    const next = new Set(commits);
    if (!next.delete(commitOf(pull))) next.add(commitOf(pull));
    setCommits(next);
  };
  const most = pulls.filter(hasKey).slice(0, MOST);
  const areAll = most.every(isSelected);
  const isFewer = most.length < pulls.length;
  return (
    <>
      {most.length > 1 && (
        <label className={`row target ${styles.all}`}>
          <input
            type="checkbox"
            checked={areAll}
            onChange={() => setCommits(areAll ? new Set() : new Set(most.map(commitOf)))}
          />
          {isFewer ? `Select ${most.length} of ${pulls.length} on this page` : 'Select all on this page'}
        </label>
      )}
      <ul aria-label="Pull requests" hidden={pulls.length === 0}>
        {pulls.map((pull) => (
          <InboxRow
            key={`${pull.repoID} ${pull.pr}`}
            pull={pull}
            selected={hasKey(pull) ? isSelected(pull) : null}
            onToggle={() => toggle(pull)}
          />
        ))}
      </ul>
      <SelectedBar selected={pulls.filter(isSelected)} />
    </>
  );
}
